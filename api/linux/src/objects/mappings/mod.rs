//! Mappings, as calls ask for them: ranges, protections, errors.

pub mod file;

use kernel::memory::{MapRequest, MemoryError, RegionKind};
use linux_abi::{Errno, constants::ProtectionFlags};
use machine::{PAGE_SIZE, PageRange, Protection, page_align_up};

use crate::objects::{ability, files};

/// Protection bits; the others (PROT_SEM, PROT_GROWSDOWN) make no difference here.
pub const fn protection(bits: ProtectionFlags) -> Protection {
    Protection {
        read: bits.contains(ProtectionFlags::PROT_READ),
        write: bits.contains(ProtectionFlags::PROT_WRITE),
        execute: bits.contains(ProtectionFlags::PROT_EXEC),
    }
}

/// The pages of `length` bytes at `address`: EINVAL if the address is in the middle of a page, ENOMEM if the range
/// passes the end of the address space.
pub fn range(address: usize, length: usize) -> Result<PageRange, Errno> {
    if !address.is_multiple_of(PAGE_SIZE) {
        return Err(Errno::EINVAL);
    }
    let length = page_align_up(length).ok_or(Errno::ENOMEM)?;
    let end = address.checked_add(length).ok_or(Errno::ENOMEM)?;
    Ok(address..end)
}

/// The error number of calls about what should be mapped.
pub const fn errno(error: MemoryError) -> Errno {
    match error {
        MemoryError::OutOfMemory | MemoryError::NotMapped | MemoryError::BadRange => Errno::ENOMEM,
        MemoryError::Exists => Errno::EEXIST,
        MemoryError::NotWritable => Errno::EACCES,
        MemoryError::Sealed => Errno::EPERM,
    }
}

/// ENOMEM unless all of the range is mapped.
pub fn check_mapped(range: &PageRange) -> Result<(), Errno> {
    let mapped = range.is_empty() || crate::space().is_mapped(range);
    if mapped { Ok(()) } else { Err(Errno::ENOMEM) }
}

/// Has memory without a file that is shared be shared with processes that are made later.
pub fn share(request: &mut MapRequest) -> Result<(), Errno> {
    request.kind = RegionKind::Shared;
    if ability::processes() {
        let (file, source) = files::shared_memory(request.length)?;
        (request.file, request.source) = (Some(file), source);
    }
    Ok(())
}

/// Maps it, with Linux' error numbers.
#[inline(never)]
pub fn place(request: &MapRequest) -> crate::Result {
    let space = kernel::task::space();
    let low = request.address < space.limits().start;
    space.map(request).map_err(|error| match error {
        MemoryError::BadRange if low => Errno::EPERM,
        other => errno(other),
    })
}
