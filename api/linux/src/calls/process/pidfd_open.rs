//! pidfd_open(2): a descriptor for a process.

use alloc::sync::Arc;

use linux_abi::{Errno, constants::OpenFlags};

use crate::{
    Result,
    objects::{events, process::table},
};

/// For any process. PIDFD_NONBLOCK is O_NONBLOCK; execve(2) always closes it.
pub fn pidfd_open(process: i32, flags: OpenFlags) -> Result {
    if !OpenFlags::O_NONBLOCK.contains(flags) || process <= 0 {
        return Err(Errno::EINVAL);
    }
    let whole = table::numbered(process).ok_or(Errno::ESRCH)?;
    if process != whole.id as i32 {
        // A thread that leads nobody has none.
        return Err(Errno::EINVAL);
    }
    events::open(Arc::new(events::PidFd::new(&whole)), b"anon_inode:[pidfd]", flags | OpenFlags::O_CLOEXEC)
}
