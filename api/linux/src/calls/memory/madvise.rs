//! madvise(2): how pages will be used.

use kernel::memory::{Region, RegionKind};
use linux_abi::{Errno, constants as c};
use machine::{Access, LARGE_PAGE_SIZE, Larger, PageRange};

use crate::{Result, objects::mappings};

type Answer = core::result::Result<(), Errno>;

/// Advice about contents and larger pages is followed; what only speeds up is accepted.
pub fn madvise(address: usize, length: usize, advice: u32) -> Result {
    let range = mappings::range(address, length).map_err(|_| Errno::EINVAL)?;
    if !is_known(advice) {
        return Err(Errno::EINVAL);
    }
    if range.is_empty() {
        return Ok(0);
    }
    if matches!(
        advice,
        c::MADV_DONTNEED | c::MADV_DONTNEED_LOCKED | c::MADV_FREE | c::MADV_DONTFORK | c::MADV_WIPEONFORK
    ) && crate::space().keeps_contents(&range)
    {
        return Err(Errno::EPERM);
    }
    if matches!(advice, c::MADV_DONTNEED | c::MADV_FREE) && crate::space().is_locked(&range) {
        return Err(Errno::EINVAL);
    }
    match advice {
        c::MADV_DONTNEED | c::MADV_DONTNEED_LOCKED => discard(range)?,
        c::MADV_FREE => {
            only(&range, is_anonymous)?;
            discard(range)?;
        }
        c::MADV_WIPEONFORK => only(&range, is_anonymous)?,
        c::MADV_HUGEPAGE => prefer(range, Larger::Wished)?,
        c::MADV_NOHUGEPAGE => prefer(range, Larger::No)?,
        c::MADV_COLLAPSE => collapse(&range)?,
        c::MADV_POPULATE_READ => populate(range, Access::Read)?,
        c::MADV_POPULATE_WRITE => populate(range, Access::Write)?,
        _ => mappings::check_mapped(&range)?,
    }
    Ok(0)
}

/// MADV_REMOVE needs a shared file behind the mapping, which is not there.
const fn is_known(advice: u32) -> bool {
    matches!(advice, c::MADV_NORMAL..=c::MADV_DONTNEED | c::MADV_FREE | c::MADV_DONTFORK..=c::MADV_COLLAPSE)
}

fn discard(range: PageRange) -> Answer {
    crate::space().discard(range).map_err(mappings::errno)
}

fn prefer(range: PageRange, larger: Larger) -> Answer {
    crate::space().prefer(range, larger).map_err(mappings::errno)
}

fn is_anonymous(region: &Region) -> bool {
    matches!(region.kind, RegionKind::Data | RegionKind::Stack | RegionKind::Heap)
}

/// EINVAL if a mapping in `range` is not such a one.
fn only(range: &PageRange, wanted: fn(&Region) -> bool) -> Answer {
    mappings::check_mapped(range)?;
    if crate::space().any_region(range, &|region| !wanted(region)) { Err(Errno::EINVAL) } else { Ok(()) }
}

/// Pages that are small stay so: EINVAL, unless none in `range` could be large.
fn collapse(range: &PageRange) -> Answer {
    mappings::check_mapped(range)?;
    let first = range.start.next_multiple_of(LARGE_PAGE_SIZE);
    if first.saturating_add(LARGE_PAGE_SIZE) <= range.end { Err(Errno::EINVAL) } else { Ok(()) }
}

/// EFAULT for pages behind a file's end, EINVAL where the protection forbids the access.
fn populate(range: PageRange, access: Access) -> Answer {
    mappings::check_mapped(&range)?;
    if crate::space().populate(range.clone(), access) {
        return Ok(());
    }
    let behind_file = only(&range, |region| region.kind != RegionKind::BehindFile).is_err();
    Err(if behind_file { Errno::EFAULT } else { Errno::EINVAL })
}
