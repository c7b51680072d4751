//! sched_setaffinity(2): chooses processors.

use kernel::task;
use linux_abi::Errno;

use crate::{
    Call, Result,
    objects::{scheduling, user},
};

/// At least one of those that are there must be among them. Bytes that the caller does not pass are none.
pub fn sched_setaffinity(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0)).map_err(|_| Errno::ESRCH)?;
    let mut set = [0; 8];
    let length = call.argument(1).min(set.len());
    user::copy_in(&mut set[..length], call.argument(2))?;
    if task::set_affinity(&thread, u64::from_le_bytes(set)) { Ok(0) } else { Err(Errno::EINVAL) }
}
