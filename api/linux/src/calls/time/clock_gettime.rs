//! clock_gettime(2): reads a clock.

use linux_abi::structures::TimeSpec;

use crate::{
    Call, Result,
    objects::{timers::clock::Clock, user},
};

/// Writes the time.
pub fn clock_gettime(call: &mut Call) -> Result {
    let now = Clock::numbered(call.unsigned(0))?.now();
    user::answer(call.argument(1), &TimeSpec::from_nanoseconds(now))
}
