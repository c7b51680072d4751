//! getitimer(2): what an interval timer has left.

use linux_abi::structures::{IntervalTimer, TimeValue};

use crate::{
    Call, Result,
    objects::{time::interval, user},
};

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
