//! Pages that stay in memory.

use identity::Capability;
use linux_abi::{
    Errno,
    constants::{LockAllFlags, LockFlags, RLIMIT_MEMLOCK},
};
use machine::{PAGE_SIZE, PageRange, page_align_down};

use crate::{Result, objects::mappings};

/// mlock(2): keeps pages in memory.
///
/// Nothing is ever paged out, but locked pages count (RLIMIT_MEMLOCK), and are not thrown away. ENOMEM where one cannot
/// be touched.
pub fn mlock(address: usize, length: usize) -> Result {
    lock(address, length, true)
}

/// Locks a range; with `touch` its pages are brought in at once.
fn lock(address: usize, length: usize, touch: bool) -> Result {
    let most = most()?;
    let range = range(address, length)?;
    if range.is_empty() {
        return Ok(0);
    }
    crate::space().lock(range.clone(), most).map_err(mappings::errno)?;
    if !touch || crate::space().fault_in(range) { Ok(0) } else { Err(Errno::ENOMEM) }
}

/// The mapped pages that these bytes have a part in.
fn range(address: usize, length: usize) -> core::result::Result<PageRange, Errno> {
    let start = page_align_down(address);
    let length = length.checked_add(address % PAGE_SIZE).ok_or(Errno::EINVAL)?;
    let range = mappings::range(start, length)?;
    mappings::check_mapped(&range)?;
    Ok(range)
}

/// Most bytes that may be locked; EPERM if there are none.
pub fn most() -> core::result::Result<usize, Errno> {
    if crate::objects::process::may(Capability::IpcLock) {
        return Ok(usize::MAX);
    }
    match crate::process().limits.lock()[RLIMIT_MEMLOCK as usize].rlim_cur {
        0 => Err(Errno::EPERM),
        limit => Ok(usize::try_from(limit).unwrap_or(usize::MAX)),
    }
}

/// Refuses to lock so many bytes more: EPERM, EAGAIN.
#[cold]
#[inline(never)]
pub fn may_lock(bytes: usize) -> core::result::Result<(), Errno> {
    let most = most()?;
    let locked = crate::space().locked().saturating_add(bytes);
    if locked <= most { Ok(()) } else { Err(Errno::EAGAIN) }
}

/// mlock2(2): keeps pages in memory.
///
/// As mlock; with MLOCK_ONFAULT pages come when they are touched.
pub fn mlock2(address: usize, length: usize, flags: LockFlags) -> Result {
    if !LockFlags::MLOCK_ONFAULT.contains(flags) {
        return Err(Errno::EINVAL);
    }
    lock(address, length, !flags.contains(LockFlags::MLOCK_ONFAULT))
}

/// munlock(2): lets pages leave memory.
///
/// Nothing is ever paged out: they only count no more.
pub fn munlock(address: usize, length: usize) -> Result {
    let range = range(address, length)?;
    if !range.is_empty() {
        crate::space().unlock(range).map_err(mappings::errno)?;
    }
    Ok(0)
}

/// mlockall(2): keeps all pages in memory.
///
/// Locks what there is, what comes, or both. ENOMEM if that is more than may be locked. Pages that cannot be there now
/// are no error.
pub fn mlockall(flags: LockAllFlags) -> Result {
    let known = LockAllFlags::NAMED.contains(flags);
    if !known || flags.is_empty() || flags == LockAllFlags::MCL_ONFAULT {
        return Err(Errno::EINVAL);
    }
    let most = most()?;
    let present = flags.contains(LockAllFlags::MCL_CURRENT);
    let mut mapped = 0;
    crate::space().for_each_region(&mut |region| mapped += region.length());
    if present && mapped > most {
        return Err(Errno::ENOMEM);
    }
    let (new, touched_only) = (flags.contains(LockAllFlags::MCL_FUTURE), flags.contains(LockAllFlags::MCL_ONFAULT));
    let space = crate::space();
    space.lock_all(present, new, new && !touched_only);
    if present && !touched_only {
        space.fault_in(space.limits());
    }
    Ok(0)
}

/// munlockall(2): lets all pages leave memory.
///
/// Neither those that are there are locked any more, nor those that come.
pub fn munlockall() -> Result {
    crate::space().unlock_all();
    Ok(0)
}
