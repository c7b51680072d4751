//! Pages that stay in memory.

use identity::Capability;
use linux_abi::{
    Errno,
    constants::{MCL_CURRENT, MCL_FUTURE, MCL_ONFAULT, MLOCK_ONFAULT, RLIMIT_MEMLOCK},
};
use machine::{PAGE_SIZE, PageRange, page_align_down};

use crate::{Call, Result, objects::mappings};

/// mlock(2): keeps pages in memory.
///
/// Nothing is ever paged out, but locked pages count (RLIMIT_MEMLOCK), and are not thrown away. ENOMEM where one cannot
/// be touched.
pub fn mlock(call: &mut Call) -> Result {
    lock(call, true)
}

/// Locks the range that the call names; with `touch` its pages are brought in at once.
pub fn lock(call: &Call, touch: bool) -> Result {
    let most = most()?;
    let range = range(call)?;
    if range.is_empty() {
        return Ok(0);
    }
    crate::space().lock(range.clone(), most).map_err(mappings::errno)?;
    if !touch || crate::space().fault_in(range) { Ok(0) } else { Err(Errno::ENOMEM) }
}

/// The mapped pages that the bytes a call names have a part in.
pub fn range(call: &Call) -> core::result::Result<PageRange, Errno> {
    let start = page_align_down(call.argument(0));
    let length = call.argument(1).checked_add(call.argument(0) % PAGE_SIZE).ok_or(Errno::EINVAL)?;
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
pub fn mlock2(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !MLOCK_ONFAULT != 0 {
        return Err(Errno::EINVAL);
    }
    lock(call, flags & MLOCK_ONFAULT == 0)
}

/// munlock(2): lets pages leave memory.
///
/// Nothing is ever paged out: they only count no more.
pub fn munlock(call: &mut Call) -> Result {
    let range = range(call)?;
    if !range.is_empty() {
        crate::space().unlock(range).map_err(mappings::errno)?;
    }
    Ok(0)
}

/// mlockall(2): keeps all pages in memory.
///
/// Locks what there is, what comes, or both. ENOMEM if that is more than may be locked. Pages that cannot be there now
/// are no error.
pub fn mlockall(call: &mut Call) -> Result {
    let flags = call.unsigned(0);
    let known = flags & !(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
    if !known || flags == 0 || flags == MCL_ONFAULT {
        return Err(Errno::EINVAL);
    }
    let most = most()?;
    let present = flags & MCL_CURRENT != 0;
    let mut mapped = 0;
    crate::space().for_each_region(&mut |region| mapped += region.length());
    if present && mapped > most {
        return Err(Errno::ENOMEM);
    }
    let (new, touched_only) = (flags & MCL_FUTURE != 0, flags & MCL_ONFAULT != 0);
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
pub fn munlockall(_: &mut Call) -> Result {
    crate::space().unlock_all();
    Ok(0)
}
