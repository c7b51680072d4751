//! mmap(2): makes a mapping.

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::{Errno, constants as c};
use machine::{PAGE_SIZE, PageRange, Source, page_align_up};

use super::lock;
use crate::{
    Call, Result,
    objects::{ability, files, mappings},
};

/// Where MAP_32BIT looks: the second gigabyte.
const LOW_START: usize = 1 << 30;
const LOW_END: usize = 1 << 31;

/// Answers the mapping's address.
pub fn mmap(call: &mut Call) -> Result {
    let flags = call.unsigned(3);
    let locks_new = ability::lock_memory() && kernel::task::current().space().locks_new();
    let locks = locks_new || ability::lock_memory() && flags & c::MAP_LOCKED != 0;
    let mut request = request(call, flags, locks)?;
    let length = request.length;
    let address = if flags & c::MAP_ANONYMOUS == 0 {
        if !ability::files() {
            return files::usable(call.int(4)).and(Err(Errno::ENODEV));
        }
        mappings::file::map(&mut request, call.int(4), flags)?
    } else {
        let address = mappings::place(&request)?;
        below_two_gigabytes(address, &mut request, flags)?
    };
    let wanted = flags & c::MAP_LOCKED != 0 || flags & (c::MAP_POPULATE | c::MAP_NONBLOCK) == c::MAP_POPULATE;
    if wanted || locks_new && crate::space().brings_new() {
        bring_in(address..address + length, flags);
    }
    Ok(address)
}

/// What cannot be there now is found out when it is touched.
#[cold]
#[inline(never)]
fn bring_in(range: PageRange, flags: u32) {
    let space = crate::space();
    if ability::lock_memory() && flags & c::MAP_LOCKED != 0 {
        // That there is room for it was asked before.
        let _ = space.lock(range.clone(), usize::MAX);
    }
    space.fault_in(range);
}

#[inline(always)]
fn request(call: &Call, flags: u32, locks: bool) -> core::result::Result<MapRequest, Errno> {
    let (address, length, offset) = (call.argument(0), call.argument(1), call.argument(5));
    let known_type = matches!(flags & c::MAP_TYPE, c::MAP_SHARED | c::MAP_PRIVATE | c::MAP_SHARED_VALIDATE);
    let anonymous = flags & c::MAP_ANONYMOUS != 0;
    let grows_down = flags & c::MAP_GROWSDOWN != 0 && anonymous;
    if anonymous && flags & c::MAP_TYPE != c::MAP_PRIVATE && (grows_down || flags & c::MAP_TYPE != c::MAP_SHARED) {
        return Err(Errno::EINVAL);
    }
    if length == 0 && offset.is_multiple_of(PAGE_SIZE) && !anonymous {
        // The descriptor is looked at first.
        files::usable(call.int(4))?;
    }
    if length == 0 || !offset.is_multiple_of(PAGE_SIZE) || !known_type {
        return Err(Errno::EINVAL);
    }
    if locks {
        lock::may_lock(length)?;
    }
    if flags & c::MAP_HUGETLB != 0 {
        kernel::debug!("mmap: there are no huge pages to reserve: ENOMEM");
        return Err(Errno::ENOMEM);
    }
    let length = page_align_up(length).ok_or(Errno::ENOMEM)?;
    let placement = placement(address, flags)?;
    let low = flags & c::MAP_32BIT != 0 && placement == Placement::Anywhere;
    Ok(MapRequest {
        address: if low { LOW_START } else { address },
        length,
        placement: if low { Placement::Hint } else { placement },
        protection: mappings::protection(call.unsigned(2)),
        source: Source::Zero,
        kind: if anonymous && flags & c::MAP_TYPE != c::MAP_PRIVATE { RegionKind::Shared } else { RegionKind::Data },
        file: None,
        offset: if anonymous { 0 } else { offset as u64 },
        reserve: flags & c::MAP_NORESERVE == 0,
        grows_down,
    })
}

fn placement(address: usize, flags: u32) -> core::result::Result<Placement, Errno> {
    let fixed = flags & (c::MAP_FIXED | c::MAP_FIXED_NOREPLACE) != 0;
    if fixed && !address.is_multiple_of(PAGE_SIZE) {
        return Err(Errno::EINVAL);
    }
    Ok(if flags & c::MAP_FIXED_NOREPLACE != 0 {
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
fn below_two_gigabytes(address: usize, request: &mut MapRequest, flags: u32) -> Result {
    let fixed = matches!(request.placement, Placement::Fixed | Placement::FixedNoReplace);
    if flags & c::MAP_32BIT == 0 || fixed || address + request.length <= LOW_END {
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
