//! Ids of processes, threads, groups and sessions.

use core::sync::atomic::Ordering;

use families::NotAllowed;
use linux_abi::Errno;

use crate::{
    Result,
    objects::{
        ability,
        process::{current_in_line, kin::FAMILIES, table},
    },
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
    Ok(current_in_line().process.parent.load(Ordering::Relaxed) as usize)
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
    Ok(table::meant(id)?.group() as usize)
}

/// getpgrp(2): the process group.
///
/// Never fails.
pub fn getpgrp() -> Result {
    Ok(process().group() as usize)
}

/// getsid(2): a process' session.
///
/// ESRCH if there is no such process.
pub fn getsid(id: i32) -> Result {
    Ok(table::meant(id)?.session() as usize)
}

/// setpgid(2): puts a process into a group.
///
/// The process itself or a child of its, into a group of its own or another one of the session.
pub fn setpgid(id: i32, group: i32) -> Result {
    if group < 0 {
        return Err(Errno::EINVAL);
    }
    if !ability::processes() {
        check_id(id)?;
        let wanted = group.cast_unsigned();
        // The first process leads its session: only staying in its own group is no error.
        return if wanted == 0 || wanted == process().id { Ok(0) } else { Err(Errno::EPERM) };
    }
    let caller = process().id;
    let number = if id == 0 { caller } else { u32::try_from(id).map_err(|_| Errno::ESRCH)? };
    let group = if group == 0 { number } else { group.cast_unsigned() };
    FAMILIES.lock().set_group(caller, number, group).map_err(errno)?;
    Ok(0)
}

/// setsid(2): starts a session.
///
/// EPERM for a process that leads a group.
pub fn setsid() -> Result {
    if !ability::processes() {
        return Err(Errno::EPERM);
    }
    let number = process().id;
    FAMILIES.lock().set_session(number).map_err(errno)?;
    Ok(number as usize)
}

const fn errno(error: NotAllowed) -> Errno {
    match error {
        NotAllowed::NoProcess => Errno::ESRCH,
        NotAllowed::Executed => Errno::EACCES,
        NotAllowed::Refused => Errno::EPERM,
    }
}

/// An id argument: 0 or this process.
pub fn check_id(id: i32) -> core::result::Result<(), Errno> {
    if id == 0 || id == process().id as i32 { Ok(()) } else { Err(Errno::ESRCH) }
}
