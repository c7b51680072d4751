//! mlock(2): keeps pages in memory.

use identity::Capability;
use linux_abi::{Errno, constants::RLIMIT_MEMLOCK};
use machine::{PAGE_SIZE, PageRange, page_align_down};

use crate::objects::mappings;
use crate::{Call, Result};

/// Nothing is ever paged out, but locked pages count (RLIMIT_MEMLOCK), and are not thrown away. ENOMEM where one cannot be
/// touched.
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
