//! setitimer(2): SIGALRM at intervals.

use linux_abi::{
    Errno,
    constants::{ITIMER_PROF, ITIMER_REAL, ITIMER_VIRTUAL},
    structures::IntervalTimer,
};

use crate::{Call, Result, signal::getitimer, time::RealTimer, user};

/// Sets ITIMER_REAL. There is no account of processor time yet, so the other timers answer EINVAL.
pub fn setitimer(call: &mut Call) -> Result {
    match call.unsigned(0) {
        ITIMER_REAL => {}
        ITIMER_VIRTUAL | ITIMER_PROF => {
            kernel::debug!("setitimer: timers of processor time are not there: EINVAL");
            return Err(Errno::EINVAL);
        }
        _ => return Err(Errno::EINVAL),
    }
    let wanted: IntervalTimer = user::read_optional(call.argument(1))?.unwrap_or_default();
    let first = wanted.it_value.nanoseconds().ok_or(Errno::EINVAL)?;
    let interval = wanted.it_interval.nanoseconds().ok_or(Errno::EINVAL)?;
    let (left, old_interval) = RealTimer::replace(first, interval);
    user::answer_optional(call.argument(2), &getitimer::value(left, old_interval))
}
