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
pub fn map(request: &mut MapRequest, descriptor: i32, flags: u32) -> Result {
    let file = files::mappable(descriptor)?;
    if flags & MAP_TYPE != MAP_PRIVATE && request.protection.write {
        kernel::debug!("mmap: a shared mapping of a file that can be written is not there: ENODEV");
        return Err(Errno::ENODEV);
    }
    request.kind = RegionKind::File;
    request.name = Some(Arc::clone(&file.path));
    let left = usize::try_from(file.length.saturating_sub(request.offset)).unwrap_or(usize::MAX);
    let present = page_align_up(left).unwrap_or(usize::MAX).min(request.length);
    let Some(place) = file.in_place else { return copy(request, &file, left.min(request.length)) };
    let source = Source::Archive { offset: place + request.offset as usize };
    if present == request.length {
        request.source = source;
        return mmap::place(request);
    }
    map_with_tail(request, present, source)
}

/// A mapping that is longer than the file: touching pages behind its end is SIGBUS.
fn map_with_tail(request: &mut MapRequest, present: usize, source: Source) -> Result {
    let address = reserve(request)?;
    if present > 0 {
        request.source = source;
        fix(request, address, present)?;
    }
    Ok(address)
}

/// Maps the first `length` bytes of what has been reserved.
fn fix(request: &mut MapRequest, address: usize, length: usize) -> Result {
    (request.address, request.length, request.placement) = (address, length, Placement::Fixed);
    mmap::place(request)
}

/// A private copy of the file's bytes as they are now.
fn copy(request: &mut MapRequest, file: &files::Mappable, present: usize) -> Result {
    let (length, protection) = (request.length, request.protection);
    let address = reserve(request)?;
    let kept = page_align_up(present).unwrap_or(length).min(length);
    if kept == 0 {
        return Ok(address);
    }
    let space = crate::space();
    request.protection = Protection { read: true, write: true, execute: false };
    let filled = fix(request, address, kept).and_then(|_| {
        file.copy_out(request.offset, address, present)?;
        space.protect(address..address + kept, protection).map_err(arguments::errno)
    });
    if let Err(errno) = filled {
        space.unmap(address..address + length).map_err(arguments::errno)?;
        return Err(errno);
    }
    Ok(address)
}

/// Takes the addresses of a whole mapping, with nothing there yet.
fn reserve(request: &mut MapRequest) -> Result {
    let (protection, kind) = (request.protection, request.kind);
    request.protection = Protection { read: false, write: false, execute: false };
    request.kind = RegionKind::BehindFile;
    let reserved = mmap::place(request);
    (request.protection, request.kind) = (protection, kind);
    reserved
}
