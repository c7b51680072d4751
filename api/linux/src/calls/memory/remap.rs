//! Mappings that end, move, grow and shrink.

use kernel::memory::{Left, MapRequest, MemoryError, Move, Placement, RegionKind};
use linux_abi::{
    Errno,
    constants::{MapFlags, RemapFlags},
};
use machine::{PAGE_SIZE, Source, page_align_down, page_align_up};

use super::lock;
use crate::{
    Result,
    objects::{ability, mappings},
};

/// munmap(2): takes mappings away.
///
/// What is not mapped is passed over.
pub fn munmap(address: usize, length: usize) -> Result {
    let range = mappings::range(address, length).map_err(|_| Errno::EINVAL)?;
    if range.is_empty() {
        return Err(Errno::EINVAL);
    }
    // In line: this call is one of those that are counted.
    kernel::task::space().unmap(range).map_err(|error| match error {
        MemoryError::OutOfMemory => Errno::ENOMEM,
        MemoryError::Sealed => Errno::EPERM,
        _ => Errno::EINVAL,
    })?;
    Ok(0)
}

/// mremap(2): resizes and moves a mapping.
///
/// Answers the mapping's address.
pub fn mremap(address: usize, old_length: usize, new_length: usize, flags: RemapFlags, new_address: usize) -> Result {
    let movement = movement(flags, new_address)?;
    let new_length = page_align_up(new_length).filter(|&length| length > 0).ok_or(Errno::EINVAL)?;
    let old = mappings::range(address, old_length).map_err(|_| Errno::EINVAL)?;
    let leaves_empty = matches!(movement, Move::LeaveEmpty | Move::To(_, Left::Empty));
    if leaves_empty && old.len() != new_length {
        return Err(Errno::EINVAL);
    }
    if old.is_empty() {
        kernel::debug!("mremap: a second mapping of shared memory is not there: EINVAL");
        return Err(Errno::EINVAL);
    }
    let space = crate::space();
    if new_length > old.len() && ability::lock_memory() && space.is_locked(&(old.start..old.start + PAGE_SIZE)) {
        lock::may_lock(new_length - old.len())?;
    }
    space.remap(old, new_length, movement).map_err(|error| match error {
        MemoryError::NotMapped => Errno::EFAULT,
        MemoryError::BadRange => Errno::EINVAL,
        other => mappings::errno(other),
    })
}

/// What the flags ask for: moving to an address or leaving the old one mapped are ways of moving.
fn movement(flags: RemapFlags, target: usize) -> core::result::Result<Move, Errno> {
    let (moves, fixed, leaves) = (
        flags.contains(RemapFlags::MREMAP_MAYMOVE),
        flags.contains(RemapFlags::MREMAP_FIXED),
        flags.contains(RemapFlags::MREMAP_DONTUNMAP),
    );
    let known = RemapFlags::NAMED.contains(flags);
    if !known || (fixed || leaves) && !moves || fixed && !target.is_multiple_of(PAGE_SIZE) {
        return Err(Errno::EINVAL);
    }
    Ok(match (fixed, leaves) {
        (true, true) => Move::To(target, Left::Empty),
        (true, false) => Move::To(target, Left::Nothing),
        (false, true) => Move::LeaveEmpty,
        (false, false) if moves => Move::IfNeeded,
        (false, false) => Move::No,
    })
}

/// remap_file_pages(2): shows other pages of a shared file.
///
/// As Linux since 4.0: maps the file anew over the range, which must lie in one mapping.
pub fn remap_file_pages(address: usize, length: usize, protection: u64, page: usize, _flags: MapFlags) -> Result {
    let (start, length) = (page_align_down(address), page_align_down(length));
    let end = start.checked_add(length).filter(|&end| end > start).ok_or(Errno::EINVAL)?;
    let offset = page.checked_mul(PAGE_SIZE).filter(|offset| offset.checked_add(length).is_some());
    let region = crate::space().region(start).filter(|region| protection == 0 && region.end >= end);
    let (Some(offset), Some(region)) = (offset, region) else { return Err(Errno::EINVAL) };
    let source = match region.source {
        Source::File { shared: true } => region.source,
        Source::Direct { handle, shared: true, .. } => Source::Direct { handle, offset: offset as u64, shared: true },
        _ => return Err(Errno::EINVAL),
    };
    mappings::place(&MapRequest {
        address: start,
        length,
        placement: Placement::Fixed,
        protection: region.protection,
        source,
        kind: RegionKind::File,
        file: region.file,
        offset: offset as u64,
        reserve: true,
        grows_down: false,
    })?;
    crate::space().fault_in(start..end);
    Ok(0)
}
