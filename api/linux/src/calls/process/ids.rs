//! Ids of processes, threads, groups and sessions.

use core::sync::atomic::Ordering;

use linux_abi::Errno;

use crate::{Call, Result, objects::process::current_in_line, process};

/// getpid(2): the process' id.
///
/// Never fails.
#[inline(always)]
pub fn getpid(_: &mut Call) -> Result {
    Ok(current_in_line().process.id as usize)
}

/// getppid(2): the parent's id.
///
/// Never fails.
#[inline(always)]
pub fn getppid(_: &mut Call) -> Result {
    Ok(current_in_line().process.parent as usize)
}

/// gettid(2): the thread's id.
///
/// Never fails.
#[inline(always)]
pub fn gettid(_: &mut Call) -> Result {
    Ok(current_in_line().id() as usize)
}

/// getpgid(2): a process' group.
///
/// ESRCH for another process.
pub fn getpgid(call: &mut Call) -> Result {
    check_id(call.int(0))?;
    getpgrp(call)
}

/// getpgrp(2): the process group.
///
/// Never fails.
pub fn getpgrp(_: &mut Call) -> Result {
    Ok(process().group.load(Ordering::Relaxed) as usize)
}

/// getsid(2): a process' session.
///
/// ESRCH for another process.
pub fn getsid(call: &mut Call) -> Result {
    check_id(call.int(0))?;
    Ok(process().session.load(Ordering::Relaxed) as usize)
}

/// setpgid(2): puts a process into a group.
///
/// The first process leads its session: only staying in its own group is no error.
pub fn setpgid(call: &mut Call) -> Result {
    if call.int(1) < 0 {
        return Err(Errno::EINVAL);
    }
    check_id(call.int(0))?;
    let wanted = call.unsigned(1);
    if wanted == 0 || wanted == process().id { Ok(0) } else { Err(Errno::EPERM) }
}

/// setsid(2): starts a session.
///
/// The first process leads a group already: EPERM, as on Linux.
pub fn setsid(_: &mut Call) -> Result {
    Err(Errno::EPERM)
}

/// An id argument: 0 or this process.
pub fn check_id(id: i32) -> core::result::Result<(), Errno> {
    if id == 0 || id == process().id as i32 { Ok(()) } else { Err(Errno::ESRCH) }
}
