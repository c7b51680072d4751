//! Mapping files: in place from the boot archive where the file's bytes lie there, copied otherwise.

use alloc::sync::Arc;

use kernel::memory::{MapRequest, Placement, RegionKind};
use linux_abi::{
    Errno,
    constants::{MAP_PRIVATE, MAP_TYPE},
};
use machine::{Protection, Source, page_align_up};

use crate::{
    Result, files,
    memory::{arguments, mmap},
};

/// Maps the file behind `descriptor`; `request.offset` says from where on. A shared mapping that could be written is
/// not there yet: ENODEV.
pub fn map(request: MapRequest, descriptor: i32, flags: u32) -> Result {
    let file = files::mappable(descriptor)?;
    if flags & MAP_TYPE != MAP_PRIVATE && request.protection.write {
        kernel::debug!("mmap: a shared mapping of a file that can be written is not there: ENODEV");
        return Err(Errno::ENODEV);
    }
    let request = MapRequest { kind: RegionKind::File, name: Some(Arc::clone(&file.path)), ..request };
    let left = usize::try_from(file.length.saturating_sub(request.offset)).unwrap_or(usize::MAX);
    let present = page_align_up(left).unwrap_or(usize::MAX).min(request.length);
    match file.in_place {
        Some(place) if present == request.length => {
            let source = Source::Archive { offset: place + request.offset as usize };
            mmap::place(&MapRequest { source, ..request })
        }
        Some(place) => map_with_tail(&request, present, Source::Archive { offset: place + request.offset as usize }),
        None => copy(&request, &file, left.min(request.length)),
    }
}

/// A mapping that is longer than the file: touching pages behind its end is SIGBUS.
fn map_with_tail(request: &MapRequest, present: usize, source: Source) -> Result {
    let address = reserve(request)?;
    if present > 0 {
        let placement = Placement::Fixed;
        mmap::place(&MapRequest { address, length: present, placement, source, ..request.clone() })?;
    }
    Ok(address)
}

/// A private copy of the file's bytes as they are now.
fn copy(request: &MapRequest, file: &files::Mappable, present: usize) -> Result {
    let address = reserve(request)?;
    let kept = page_align_up(present).unwrap_or(request.length).min(request.length);
    if kept == 0 {
        return Ok(address);
    }
    let space = crate::space();
    let writable = Protection { read: true, write: true, execute: false };
    let placement = Placement::Fixed;
    let pages = MapRequest { address, length: kept, placement, protection: writable, ..request.clone() };
    let filled = mmap::place(&pages).and_then(|_| {
        file.copy_out(request.offset, address, present)?;
        space.protect(address..address + kept, request.protection).map_err(arguments::errno)
    });
    if let Err(errno) = filled {
        space.unmap(address..address + request.length).map_err(arguments::errno)?;
        return Err(errno);
    }
    Ok(address)
}

/// Takes the addresses of a whole mapping, with nothing there yet.
fn reserve(request: &MapRequest) -> Result {
    let nothing = Protection { read: false, write: false, execute: false };
    mmap::place(&MapRequest { protection: nothing, kind: RegionKind::BehindFile, ..request.clone() })
}
