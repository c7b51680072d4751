//! The application's memory, read by way of the direct map, and its instructions, which are written by it too.
//!
//! The pages that are written stay what they are: executable and not writable. One that is shown in place, as a file's
//! page is, gets a copy of the application's own first.

use core::ptr;

use machine::{MemoryRefused, PAGE_SIZE, page_align_down};
use paging::{Entry, MapError, PageSize};

use super::{
    Space, direct,
    flush::invalidate_one,
    leaf::OWNED,
    shared::{SHARED, give_back, unshared},
    tables::{copy_page, free_frames},
};
use crate::layout::USER;

/// See [`machine::Translations::read`].
pub fn read(space: &Space, address: usize, bytes: &mut [u8]) -> Result<(), MemoryRefused> {
    each_page(address, bytes.len(), |page, offset, part| {
        let bytes = &mut bytes[part];
        let mut memory = space.lock();
        let (leaf, size) = memory.tables().find(page).ok_or(MemoryRefused::BadRange)?;
        if !leaf.has(Entry::PRESENT) {
            return Err(MemoryRefused::BadRange);
        }
        let frame = leaf.address() + page % size.bytes();
        // SAFETY: the frame is in the direct map, and nobody gives it back while the tables that lead to it are locked.
        unsafe { ptr::copy_nonoverlapping(direct(frame + offset), bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    })
}

/// See [`machine::Translations::write_code`].
pub fn write(space: &Space, address: usize, bytes: &[u8]) -> Result<(), MemoryRefused> {
    each_page(address, bytes.len(), |page, offset, part| {
        if let Some(left) = write_in_page(space, page, offset, &bytes[part])? {
            invalidate_one(space, page);
            if left.has(OWNED) {
                give_back(left.address(), 1);
            }
        }
        Ok(())
    })
}

/// Writes them in one page; answers its leaf until now, if it is another frame's since.
fn write_in_page(space: &Space, page: usize, offset: usize, bytes: &[u8]) -> Result<Option<Entry>, MemoryRefused> {
    let mut memory = space.lock();
    let leaf = memory.tables().find(page).ok_or(MemoryRefused::BadRange)?;
    let shown = code_frame(leaf).ok_or(MemoryRefused::BadRange)?;
    let is_own = leaf.0.has(OWNED) && !leaf.0.has(SHARED);
    let frame = if is_own { shown } else { copied(shown).ok_or(MemoryRefused::OutOfMemory)? };
    // SAFETY: the frame is in the direct map, and is this space's alone. Processors may fetch these bytes meanwhile:
    // whoever writes more than one has seen to it that none does.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), direct(frame + offset), bytes.len()) };
    if is_own {
        return Ok(None);
    }
    let mapped = memory.tables().update(page, PageSize::Small, |_, before| {
        let own = Entry(unshared(before.at(frame)).0 | OWNED);
        if before.address() == shown { Ok(own) } else { Err(MapError::InTheWay) }
    });
    mapped.map_err(|_| {
        free_frames(frame, 1);
        MemoryRefused::BadRange
    })?;
    Ok(Some(leaf.0))
}

/// A frame that is the same as this one.
fn copied(frame: usize) -> Option<usize> {
    let copy = contracts::frames::allocate()? * PAGE_SIZE;
    // SAFETY: what is shown is mapped, and nobody gives it out while the tables that lead to it are locked. The copy is
    // nobody else's.
    unsafe { copy_page(direct(frame), direct(copy)) };
    Some(copy)
}

/// The frame of a page of code. Large pages are no code: they are the application's anonymous memory.
fn code_frame((entry, size): (Entry, PageSize)) -> Option<usize> {
    let is_code = entry.has(Entry::PRESENT) && !entry.has(Entry::NO_EXECUTE) && size == PageSize::Small;
    is_code.then(|| entry.address())
}

/// Shows `visit` each page that `length` bytes from `address` on touch: where it begins, where in it the bytes begin,
/// and which of them they are.
fn each_page(
    address: usize,
    length: usize,
    mut visit: impl FnMut(usize, usize, core::ops::Range<usize>) -> Result<(), MemoryRefused>,
) -> Result<(), MemoryRefused> {
    let end = address.checked_add(length).filter(|&end| USER.start <= address && end <= USER.end);
    let end = end.ok_or(MemoryRefused::BadRange)?;
    let mut at = address;
    while at < end {
        let page = page_align_down(at);
        let next = end.min(page + PAGE_SIZE);
        visit(page, at - page, at - address..next - address)?;
        at = next;
    }
    Ok(())
}
