//! clock_getres(2): how fine a clock is.

use linux_abi::structures::TimeSpec;

use crate::{
    Call, Result,
    objects::{timers::clock::Clock, user},
};

/// All count single nanoseconds.
pub fn clock_getres(call: &mut Call) -> Result {
    Clock::numbered(call.unsigned(0))?;
    user::answer_optional(call.argument(1), &TimeSpec::from_nanoseconds(1))
}
