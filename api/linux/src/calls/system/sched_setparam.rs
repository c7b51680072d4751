//! sched_setparam(2): sets a thread's priority.

use kernel::task;

use crate::{Call, Result, objects::scheduling};

/// The policy stays.
pub fn sched_setparam(call: &mut Call) -> Result {
    let priority = scheduling::priority_at(call.argument(1))?;
    let thread = scheduling::thread(call.int(0))?;
    let policy = scheduling::policy(task::parameters(&thread).class);
    scheduling::set(&thread, policy, priority).map(|()| 0)
}
