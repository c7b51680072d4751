//! Interval timers.

use linux_abi::{
    Errno,
    constants::ITIMER_REAL,
    structures::{IntervalTimer, TimeValue},
};

use crate::{
    Call, Result,
    objects::{time::interval, user},
};

const SECOND: u64 = 1_000_000_000;

/// alarm(2): SIGALRM after seconds.
///
/// Sets ITIMER_REAL; answers the seconds that the last alarm had left, rounded as Linux rounds.
pub fn alarm(call: &mut Call) -> Result {
    let seconds = u64::from(call.unsigned(0));
    let left = interval::timer(ITIMER_REAL)?.set(seconds * SECOND, false, 0).0;
    let rounded = (left + SECOND / 2) / SECOND;
    Ok(if left > 0 { rounded.max(1) } else { 0 } as usize)
}

/// getitimer(2): what an interval timer has left.
///
/// Tells one of the three.
pub fn getitimer(call: &mut Call) -> Result {
    let left = interval::timer(call.unsigned(0))?.left();
    user::answer(call.argument(1), &value(left))
}

/// The structure for nanoseconds left and between.
pub fn value((left, interval): (u64, u64)) -> IntervalTimer {
    IntervalTimer {
        it_interval: TimeValue::from_nanoseconds(interval),
        // What is left is not nothing, however little it is.
        it_value: TimeValue::from_nanoseconds(if left > 0 { left.max(1000) } else { 0 }),
    }
}

/// setitimer(2): signals at intervals.
///
/// Sets one of the three.
pub fn setitimer(call: &mut Call) -> Result {
    let timer = interval::timer(call.unsigned(0))?;
    let wanted: IntervalTimer = user::read_optional(call.argument(1))?.unwrap_or_default();
    let first = wanted.it_value.nanoseconds().ok_or(Errno::EINVAL)?;
    let interval = wanted.it_interval.nanoseconds().ok_or(Errno::EINVAL)?;
    let was = timer.set(first, false, interval);
    user::answer_optional(call.argument(2), &value(was))
}
