//! setitimer(2): signals at intervals.

use linux_abi::{Errno, structures::IntervalTimer};

use super::getitimer;
use crate::{
    Call, Result,
    objects::{time::interval, user},
};

/// Sets one of the three.
pub fn setitimer(call: &mut Call) -> Result {
    let timer = interval::timer(call.unsigned(0))?;
    let wanted: IntervalTimer = user::read_optional(call.argument(1))?.unwrap_or_default();
    let first = wanted.it_value.nanoseconds().ok_or(Errno::EINVAL)?;
    let interval = wanted.it_interval.nanoseconds().ok_or(Errno::EINVAL)?;
    let was = timer.set(first, false, interval);
    user::answer_optional(call.argument(2), &getitimer::value(was))
}
