//! sched_setparam(2): sets a thread's priority.

use linux_abi::Errno;

use crate::{Call, Result, system::scheduling, user};

/// SCHED_OTHER has only priority 0.
pub fn sched_setparam(call: &mut Call) -> Result {
    scheduling::check_thread(call.int(0))?;
    let priority = user::read_int(call.argument(1))?;
    if priority == 0 { Ok(0) } else { Err(Errno::EINVAL) }
}
