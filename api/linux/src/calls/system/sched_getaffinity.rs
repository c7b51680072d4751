//! sched_getaffinity(2): which processors a thread may use.

use kernel::task;
use linux_abi::Errno;

use crate::{
    Call, Result,
    objects::{scheduling, user},
};

/// Bytes of the kernel's processor set.
const SET_SIZE: usize = 8;

/// Answers the bytes written.
pub fn sched_getaffinity(call: &mut Call) -> Result {
    let thread = scheduling::thread(call.int(0)).map_err(|_| Errno::ESRCH)?;
    let size = call.argument(1);
    if size < SET_SIZE || !size.is_multiple_of(8) {
        return Err(Errno::EINVAL);
    }
    user::write_struct(call.argument(2), &task::affinity(&thread))?;
    Ok(SET_SIZE)
}
