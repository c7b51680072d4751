//! sched_getscheduler(2): a thread's policy.

use kernel::task;

use crate::{Call, Result, objects::scheduling};

/// Answers its number.
pub fn sched_getscheduler(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0))?;
    Ok(scheduling::policy(task::parameters(&thread).class) as usize)
}
