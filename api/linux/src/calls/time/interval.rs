//! Interval timers.

use linux_abi::{
    Errno, UserAddress,
    constants::ITIMER_REAL,
    structures::{IntervalTimer, TimeValue},
};

use crate::{
    Result,
    objects::{time::interval, user},
};

const SECOND: u64 = 1_000_000_000;

/// alarm(2): SIGALRM after seconds.
///
/// Sets ITIMER_REAL; answers the seconds that the last alarm had left, rounded as Linux rounds.
pub fn alarm(seconds: u32) -> Result {
    let seconds = u64::from(seconds);
    let left = interval::timer(ITIMER_REAL)?.set(seconds * SECOND, false, 0).0;
    let rounded = (left + SECOND / 2) / SECOND;
    Ok(if left > 0 { rounded.max(1) } else { 0 } as usize)
}

/// getitimer(2): what an interval timer has left.
///
/// Tells one of the three.
pub fn getitimer(timer: u32, value: UserAddress) -> Result {
    let left = interval::timer(timer)?.left();
    user::answer(value, &self::value(left))
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
pub fn setitimer(timer: u32, value: UserAddress, old: UserAddress) -> Result {
    let timer = interval::timer(timer)?;
    let wanted: IntervalTimer = user::read_optional(value)?.unwrap_or_default();
    let first = wanted.it_value.nanoseconds().ok_or(Errno::EINVAL)?;
    let interval = wanted.it_interval.nanoseconds().ok_or(Errno::EINVAL)?;
    let was = timer.set(first, false, interval);
    user::answer_optional(old, &self::value(was))
}
