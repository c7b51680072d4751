//! mmap(2) and its relatives.

use machine::{PageRange, Protection};

use super::{HostError, call::call, number};

const PROT_READ: usize = 1;
const PROT_WRITE: usize = 2;
const PROT_EXEC: usize = 4;
const MAP_SHARED: usize = 0x01;
const MAP_PRIVATE: usize = 0x02;
const MAP_FIXED: usize = 0x10;
const MAP_ANONYMOUS: usize = 0x20;
const MAP_NORESERVE: usize = 0x4000;
const MAP_FIXED_NOREPLACE: usize = 0x10_0000;
const MREMAP_MAYMOVE: usize = 1;
const MREMAP_FIXED: usize = 2;
const MADV_DONTNEED: usize = 4;
const MADV_REMOVE: usize = 9;
const MADV_DONTFORK: usize = 10;
const MADV_HUGEPAGE: usize = 14;
const MADV_NOHUGEPAGE: usize = 15;
const MADV_POPULATE_READ: usize = 22;
const MADV_POPULATE_WRITE: usize = 23;
const MADV_COLLAPSE: usize = 25;
const MADV_GUARD_INSTALL: usize = 102;
const MADV_GUARD_REMOVE: usize = 103;

/// What to map.
#[derive(Clone, Copy, Debug)]
pub enum Contents {
    /// Zeros.
    Zero,
    /// A private copy of a file.
    File {
        /// The open file.
        descriptor: i32,
        /// Bytes from its start, page-aligned.
        offset: usize,
    },
    /// A file itself: stores are the file's.
    Shared {
        /// The open file.
        descriptor: i32,
        /// Bytes from its start, page-aligned.
        offset: usize,
    },
}

impl Contents {
    /// A part of a file.
    pub const fn file(descriptor: i32, offset: usize, shared: bool) -> Self {
        if shared { Self::Shared { descriptor, offset } } else { Self::File { descriptor, offset } }
    }
}

/// The host's protection bits. Whatever may be written or executed may be read: hosts with protection keys would make
/// memory of PROT_EXEC alone unreadable.
const fn bits(protection: Protection) -> usize {
    let mut bits = 0;
    if protection.read || protection.write || protection.execute {
        bits |= PROT_READ;
    }
    if protection.write {
        bits |= PROT_WRITE;
    }
    if protection.execute {
        bits |= PROT_EXEC;
    }
    bits
}

/// Maps `range`, where nothing is mapped; the host refuses with EEXIST if there is something after all.
/// Whether memory is reserved for it is the kernel's to decide, so the host is told not to.
pub fn map_at(range: &PageRange, protection: Protection, contents: Contents) -> Result<(), HostError> {
    // SAFETY: never replaces a mapping, so no memory that Rust knows of changes.
    let address = unsafe { map(range.start, range.len(), bits(protection), MAP_FIXED_NOREPLACE, contents) }?;
    if address == range.start { Ok(()) } else { Err(HostError::INVALID) }
}

/// Maps all of a file for the kernel to read and write at `range`, where nothing is mapped.
pub fn map_shared(range: &PageRange, descriptor: i32) -> Result<(), HostError> {
    map_at(range, Protection { read: true, write: true, execute: false }, Contents::Shared { descriptor, offset: 0 })
}

/// Has a part of a file, shared, take the place of whatever is at `range`, for the kernel to read and write.
///
/// # Safety
/// The file holds what the range has held, or nobody uses the range.
pub unsafe fn map_over(range: &PageRange, descriptor: i32, offset: usize) -> Result<(), HostError> {
    let contents = Contents::Shared { descriptor, offset };
    // SAFETY: the caller's promise.
    unsafe { map(range.start, range.len(), PROT_READ | PROT_WRITE, MAP_FIXED, contents) }.map(drop)
}

/// Gives pages of a memory file that is mapped shared back to the host: they read as zeros again, for all who map them.
///
/// # Safety
/// No Rust reference into `range` lives.
pub unsafe fn give_back(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::MADVISE, [range.start, range.len(), MADV_REMOVE]) }.map(drop)
}

/// Maps a part of a file for reading wherever the host likes; returns the address.
pub fn map_anywhere(length: usize, descriptor: i32, offset: usize) -> Result<usize, HostError> {
    // SAFETY: a new mapping touches no memory that Rust knows of.
    unsafe { map(0, length, PROT_READ, 0, Contents::File { descriptor, offset }) }
}

unsafe fn map(
    address: usize,
    length: usize,
    protection: usize,
    flags: usize,
    contents: Contents,
) -> Result<usize, HostError> {
    let (kind, descriptor, offset) = match contents {
        Contents::Zero => (MAP_PRIVATE | MAP_ANONYMOUS, usize::MAX, 0),
        Contents::File { descriptor, offset } => (MAP_PRIVATE, descriptor as usize, offset),
        Contents::Shared { descriptor, offset } => (MAP_SHARED, descriptor as usize, offset),
    };
    let flags = flags | kind | MAP_NORESERVE;
    // SAFETY: the callers' reasons.
    unsafe { call(number::MMAP, [address, length, protection, flags, descriptor, offset]) }
}

/// Changes what may be done with mapped pages.
///
/// # Safety
/// No Rust reference is used in a way that the new protection forbids.
pub unsafe fn protect(range: &PageRange, protection: Protection) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::MPROTECT, [range.start, range.len(), bits(protection)]) }.map(drop)
}

/// Makes pages fault: anonymous ones, below a stack. Since Linux 6.13 they stay part of the mapping around them.
///
/// # Safety
/// No Rust reference into `range` lives.
pub unsafe fn guard(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe {
        call(number::MADVISE, [range.start, range.len(), MADV_GUARD_INSTALL])
            .map(drop)
            .or_else(|_| protect(range, Protection::default()))
    }
}

/// Has the host copy the page tables of the mapping that `page` is of with each process that is copied. It leaves those
/// of files out, so that each copy has its faults, until a page of theirs has been guarded once: since Linux 6.15.
/// Before that it refuses, and nothing is changed.
///
/// # Safety
/// Nobody touches the page meanwhile. It is of a file, and shows it again afterwards.
pub unsafe fn have_tables_copied(page: usize) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe {
        call(number::MADVISE, [page, machine::PAGE_SIZE, MADV_GUARD_INSTALL])?;
        call(number::MADVISE, [page, machine::PAGE_SIZE, MADV_GUARD_REMOVE])
    }
    .map(drop)
}

/// Has processes that are copied from now on lack pages. Parts that are not mapped are passed over, and an error then.
///
/// # Safety
/// Nobody uses them in a copy.
pub unsafe fn leave_out(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::MADVISE, [range.start, range.len(), MADV_DONTFORK]) }.map(drop)
}

/// Unmaps pages; parts that are not mapped are passed over.
///
/// # Safety
/// No Rust reference into `range` lives.
pub unsafe fn unmap(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::MUNMAP, [range.start, range.len()]) }.map(drop)
}

/// Throws contents away: private pages read as their source again.
///
/// # Safety
/// No Rust reference into `range` lives.
pub unsafe fn discard(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { call(number::MADVISE, [range.start, range.len(), MADV_DONTNEED]) }.map(drop)
}

/// Moves the pages of `from`, which must be one mapping of the host's (else EFAULT), to `to`, where they replace what
/// is there.
///
/// # Safety
/// No Rust reference into either range lives.
pub unsafe fn relocate(from: &PageRange, to: usize) -> Result<(), HostError> {
    let flags = MREMAP_MAYMOVE | MREMAP_FIXED;
    // SAFETY: the caller's promise.
    unsafe { call(number::MREMAP, [from.start, from.len(), from.len(), flags, to]) }.map(drop)
}

/// Brings mapped pages in, as if each were read or written.
pub fn populate(range: &PageRange, write: bool) -> Result<(), HostError> {
    advise(range, if write { MADV_POPULATE_WRITE } else { MADV_POPULATE_READ })
}

/// Says whether larger pages are wanted.
pub fn prefer_large(range: &PageRange, wanted: bool) -> Result<(), HostError> {
    advise(range, if wanted { MADV_HUGEPAGE } else { MADV_NOHUGEPAGE })
}

/// Has large pages take the place of small ones, all of them at once; since Linux 6.1.
pub fn make_large(range: &PageRange) -> Result<(), HostError> {
    advise(range, MADV_COLLAPSE)
}

/// Maps zeros in place of whatever is at `range`, for the kernel to read and write.
///
/// # Safety
/// Nobody uses the range.
pub unsafe fn map_zeros_over(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { map(range.start, range.len(), PROT_READ | PROT_WRITE, MAP_FIXED, Contents::Zero) }.map(drop)
}

/// Advice that changes no contents.
fn advise(range: &PageRange, advice: usize) -> Result<(), HostError> {
    // SAFETY: what the pages hold stays the same.
    unsafe { call(number::MADVISE, [range.start, range.len(), advice]) }.map(drop)
}

/// Whether a mapped page is in memory (mincore(2)); ENOMEM where nothing is mapped.
pub fn is_resident(page: usize) -> Result<bool, HostError> {
    let mut resident = 0_u8;
    // SAFETY: a page has one byte, which the host writes.
    unsafe { call(number::MINCORE, [page, machine::PAGE_SIZE, &raw mut resident as usize]) }?;
    Ok(resident & 1 != 0)
}
