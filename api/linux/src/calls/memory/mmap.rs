//! mmap(2): makes a mapping.

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::{
    Errno, FileDescriptor,
    constants::{MapFlags, ProtectionFlags},
};
use machine::{PAGE_SIZE, PageRange, Source, page_align_up};

use super::lock;
use crate::{
    Result,
    objects::{ability, files, mappings},
};

/// Where MAP_32BIT looks: the second gigabyte.
const LOW_START: usize = 1 << 30;
const LOW_END: usize = 1 << 31;

/// Answers the mapping's address.
pub fn mmap(
    address: usize,
    length: usize,
    protection: ProtectionFlags,
    flags: MapFlags,
    descriptor: FileDescriptor,
    offset: usize,
) -> Result {
    let locks_new = ability::lock_memory() && kernel::task::space().locks_new();
    let locks = locks_new || ability::lock_memory() && flags.contains(MapFlags::MAP_LOCKED);
    let mut request = match request((address, length), protection, flags, offset, locks) {
        Ok(request) => request,
        Err(error) => return refused(error, (length, offset), flags, descriptor),
    };
    let length = request.length;
    let address = if !flags.contains(MapFlags::MAP_ANONYMOUS) {
        if !ability::files() {
            return files::usable(descriptor).and(Err(Errno::ENODEV));
        }
        mappings::file::map(&mut request, descriptor, flags)?
    } else {
        if request.kind == RegionKind::Shared {
            mappings::share(&mut request)?;
        }
        let address = mappings::place(&request)?;
        below_two_gigabytes(address, &mut request, flags)?
    };
    let may_want = flags.intersects(MapFlags::MAP_LOCKED | MapFlags::MAP_POPULATE);
    if may_want && is_wanted(flags) || locks_new && crate::space().brings_new() {
        bring_in(address..address + length, flags);
    }
    Ok(address)
}

/// The answer to what cannot be mapped. If it is the length, the descriptor is looked at first.
#[cold]
fn refused(error: Errno, (length, offset): (usize, usize), flags: MapFlags, descriptor: FileDescriptor) -> Result {
    if length == 0 && offset.is_multiple_of(PAGE_SIZE) && !flags.contains(MapFlags::MAP_ANONYMOUS) {
        files::usable(descriptor)?;
    }
    Err(error)
}

/// Whether the pages are to be there at once.
const fn is_wanted(flags: MapFlags) -> bool {
    flags.contains(MapFlags::MAP_LOCKED)
        || flags.contains(MapFlags::MAP_POPULATE) && !flags.contains(MapFlags::MAP_NONBLOCK)
}

/// What cannot be there now is found out when it is touched.
#[cold]
#[inline(never)]
fn bring_in(range: PageRange, flags: MapFlags) {
    let space = crate::space();
    if ability::lock_memory() && flags.contains(MapFlags::MAP_LOCKED) {
        // That there is room for it was asked before.
        let _ = space.lock(range.clone(), usize::MAX);
    }
    space.fault_in(range);
}

#[inline(always)]
fn request(
    (address, length): (usize, usize),
    protection: ProtectionFlags,
    flags: MapFlags,
    offset: usize,
    locks: bool,
) -> core::result::Result<MapRequest, Errno> {
    let known_type =
        matches!(flags.sharing(), MapFlags::MAP_SHARED | MapFlags::MAP_PRIVATE | MapFlags::MAP_SHARED_VALIDATE);
    let anonymous = flags.contains(MapFlags::MAP_ANONYMOUS);
    let grows_down = flags.contains(MapFlags::MAP_GROWSDOWN) && anonymous;
    if anonymous && flags.sharing() != MapFlags::MAP_PRIVATE && (grows_down || flags.sharing() != MapFlags::MAP_SHARED)
    {
        return Err(Errno::EINVAL);
    }
    if length == 0 || !offset.is_multiple_of(PAGE_SIZE) || !known_type {
        return Err(Errno::EINVAL);
    }
    if locks {
        lock::may_lock(length)?;
    }
    if flags.contains(MapFlags::MAP_HUGETLB) {
        kernel::debug!("mmap: there are no huge pages to reserve: ENOMEM");
        return Err(Errno::ENOMEM);
    }
    let length = page_align_up(length).ok_or(Errno::ENOMEM)?;
    let placement = placement(address, flags)?;
    let low = flags.contains(MapFlags::MAP_32BIT) && placement == Placement::Anywhere;
    Ok(MapRequest {
        address: if low { LOW_START } else { address },
        length,
        placement: if low { Placement::Hint } else { placement },
        protection: mappings::protection(protection),
        source: Source::Zero,
        kind: if anonymous && flags.sharing() != MapFlags::MAP_PRIVATE { RegionKind::Shared } else { RegionKind::Data },
        file: None,
        offset: if anonymous { 0 } else { offset as u64 },
        reserve: !flags.contains(MapFlags::MAP_NORESERVE),
        grows_down,
    })
}

fn placement(address: usize, flags: MapFlags) -> core::result::Result<Placement, Errno> {
    let fixed = flags.intersects(MapFlags::MAP_FIXED | MapFlags::MAP_FIXED_NOREPLACE);
    if fixed && !address.is_multiple_of(PAGE_SIZE) {
        return Err(Errno::EINVAL);
    }
    Ok(if flags.contains(MapFlags::MAP_FIXED_NOREPLACE) {
        Placement::FixedNoReplace
    } else if fixed {
        Placement::Fixed
    } else if address == 0 {
        Placement::Anywhere
    } else {
        Placement::Hint
    })
}

/// MAP_32BIT without a free place where it was wished is ENOMEM.
fn below_two_gigabytes(address: usize, request: &mut MapRequest, flags: MapFlags) -> Result {
    let fixed = matches!(request.placement, Placement::Fixed | Placement::FixedNoReplace);
    if !flags.contains(MapFlags::MAP_32BIT) || fixed || address + request.length <= LOW_END {
        return Ok(address);
    }
    let space = crate::space();
    request.placement = Placement::FixedNoReplace;
    request.address = LOW_START;
    let mut found = Err(Errno::ENOMEM);
    while found.is_err() && request.address + request.length <= LOW_END {
        found = space.map(request).map_err(|_| Errno::ENOMEM);
        request.address += 4 << 20;
    }
    space.unmap(address..address + request.length).map_err(mappings::errno)?;
    found
}
