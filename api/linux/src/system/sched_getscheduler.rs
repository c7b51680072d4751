//! sched_getscheduler(2): a thread's policy.

use linux_abi::constants::SCHED_OTHER;

use crate::{Call, Result, system::scheduling};

/// It is SCHED_OTHER.
pub fn sched_getscheduler(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    Ok(SCHED_OTHER as usize)
}
