//! clock_nanosleep(2): sleeps by a clock.

use linux_abi::{Errno, constants::TIMER_ABSTIME, structures::TimeSpec};

use crate::{
    Call, Result,
    time::{Sleep, clocks},
    user,
};

/// Relative or until a moment.
pub fn clock_nanosleep(call: &mut Call) -> Result {
    let clock = call.unsigned(0);
    clocks::sleepable(clock)?;
    let request: TimeSpec = user::read_struct(call.argument(2))?;
    let length = request.nanoseconds().ok_or(Errno::EINVAL)?;
    let now = contracts::clock::monotonic();
    if call.unsigned(1) & TIMER_ABSTIME == 0 {
        return Sleep { deadline: now.saturating_add(length), remaining: call.argument(3) }.relative();
    }
    let left = length.saturating_sub(clocks::now(clock)?);
    Sleep::until(now.saturating_add(left))
}
