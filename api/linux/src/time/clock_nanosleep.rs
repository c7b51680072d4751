//! clock_nanosleep(2): sleeps by a clock.

use linux_abi::constants::TIMER_ABSTIME;

use crate::{
    Call, Result,
    time::{
        Sleep,
        arguments::{from_now, nanoseconds},
        clocks,
    },
};

/// Relative or until a moment.
pub fn clock_nanosleep(call: &mut Call) -> Result {
    let clock = call.unsigned(0);
    clocks::sleepable(clock)?;
    let length = nanoseconds(call.argument(2))?;
    if call.unsigned(1) & TIMER_ABSTIME == 0 {
        return Sleep { deadline: from_now(length), remaining: call.argument(3) }.relative();
    }
    Sleep::until(from_now(length.saturating_sub(clocks::now(clock)?)))
}
