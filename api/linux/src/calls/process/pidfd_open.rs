//! pidfd_open(2): a descriptor for a process.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{O_CLOEXEC, O_NONBLOCK},
};

use crate::{
    Call, Result,
    objects::{events, process::table},
};

/// For any process. PIDFD_NONBLOCK is O_NONBLOCK; execve(2) always closes it.
pub fn pidfd_open(call: &mut Call) -> Result {
    let (id, flags) = (call.int(0), call.unsigned(1));
    if flags & !O_NONBLOCK != 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let process = table::numbered(id).ok_or(Errno::ESRCH)?;
    if id != process.id as i32 {
        // A thread that leads nobody has none.
        return Err(Errno::EINVAL);
    }
    events::open(Arc::new(events::PidFd::new(&process)), b"anon_inode:[pidfd]", flags | O_CLOEXEC)
}
