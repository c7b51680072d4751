//! getitimer(2): what an interval timer has left.

use linux_abi::{
    Errno,
    constants::ITIMER_REAL,
    structures::{IntervalTimer, TimeValue},
};

use crate::{Call, Result, time::RealTimer, user};

/// Tells ITIMER_REAL; the others are always off.
pub fn getitimer(call: &mut Call) -> Result {
    let (left, interval) = match call.unsigned(0) {
        ITIMER_REAL => RealTimer::get(),
        1 | 2 => (0, 0),
        _ => return Err(Errno::EINVAL),
    };
    user::answer(call.argument(1), &value(left, interval))
}

/// The structure for nanoseconds left and between.
pub fn value(left: u64, interval: u64) -> IntervalTimer {
    IntervalTimer {
        it_interval: TimeValue::from_nanoseconds(interval),
        // What is left is not nothing, however little it is.
        it_value: TimeValue::from_nanoseconds(if left > 0 { left.max(1000) } else { 0 }),
    }
}
