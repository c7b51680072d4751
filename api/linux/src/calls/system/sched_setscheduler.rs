//! sched_setscheduler(2): sets a thread's policy.

use crate::{Call, Result, objects::scheduling};

/// Sets policy and priority. What they mean is up to the image's scheduler.
pub fn sched_setscheduler(call: &mut Call) -> Result {
    let priority = scheduling::priority_at(call.argument(2))?;
    let thread = scheduling::thread(call.int(0))?;
    scheduling::set(&thread, call.unsigned(1), priority).map(|()| 0)
}
