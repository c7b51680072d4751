//! sched_setscheduler(2): sets a thread's policy.

use crate::{Call, Result, system::scheduling, user};

/// Sets policy and priority. What they mean is up to the image's scheduler.
pub fn sched_setscheduler(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0))?;
    let priority = user::read_int(call.argument(2))?;
    scheduling::set(&thread, call.unsigned(1), priority).map(|()| 0)
}
