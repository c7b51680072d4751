//! pidfd_open(2): a descriptor for a process.

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{O_CLOEXEC, O_NONBLOCK},
};

use crate::{
    Call, Result,
    objects::{events, process},
};

/// For this process, the only one. PIDFD_NONBLOCK is O_NONBLOCK; execve(2) always closes it.
pub fn pidfd_open(call: &mut Call) -> Result {
    let (id, flags) = (call.int(0), call.unsigned(1));
    if flags & !O_NONBLOCK != 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let process = &process::current().process;
    if id != process.id as i32 {
        // A thread that leads nobody has none.
        let is_thread = process.threads.lock().find(id).is_some();
        return Err(if is_thread { Errno::EINVAL } else { Errno::ESRCH });
    }
    events::open(Arc::new(events::PidFd::new(process)), b"anon_inode:[pidfd]", flags | O_CLOEXEC)
}
