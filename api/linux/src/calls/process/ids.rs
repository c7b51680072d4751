//! Ids of processes, threads, groups and sessions.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use crate::{
    Result,
    objects::process::{current_in_line, table},
    process,
};

/// getpid(2): the process' id.
///
/// Never fails.
#[inline(always)]
pub fn getpid() -> Result {
    Ok(current_in_line().process.id as usize)
}

/// getppid(2): the parent's id.
///
/// Never fails.
#[inline(always)]
pub fn getppid() -> Result {
    Ok(current_in_line().process.parent as usize)
}

/// gettid(2): the thread's id.
///
/// Never fails.
#[inline(always)]
pub fn gettid() -> Result {
    Ok(current_in_line().id() as usize)
}

/// getpgid(2): a process' group.
///
/// ESRCH if there is no such process.
pub fn getpgid(id: i32) -> Result {
    Ok(table::meant(id)?.group.load(Ordering::Relaxed) as usize)
}

/// getpgrp(2): the process group.
///
/// Never fails.
pub fn getpgrp() -> Result {
    Ok(process().group.load(Ordering::Relaxed) as usize)
}

/// getsid(2): a process' session.
///
/// ESRCH if there is no such process.
pub fn getsid(id: i32) -> Result {
    Ok(table::meant(id)?.session.load(Ordering::Relaxed) as usize)
}

/// setpgid(2): puts a process into a group.
///
/// The first process leads its session: only staying in its own group is no error.
pub fn setpgid(id: i32, group: i32) -> Result {
    if group < 0 {
        return Err(Errno::EINVAL);
    }
    check_id(id)?;
    let wanted = group.cast_unsigned();
    if wanted == 0 || wanted == process().id { Ok(0) } else { Err(Errno::EPERM) }
}

/// setsid(2): starts a session.
///
/// The first process leads a group already: EPERM, as on Linux.
pub fn setsid() -> Result {
    Err(Errno::EPERM)
}

/// An id argument: 0 or this process.
pub fn check_id(id: i32) -> core::result::Result<(), Errno> {
    if id == 0 || id == process().id as i32 { Ok(()) } else { Err(Errno::ESRCH) }
}
