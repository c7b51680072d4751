//! Pages of 2 MB for the application's anonymous memory.
//!
//! A fault makes one where the region fills it, nothing of it is mapped yet, and memory is plenty. It is split again
//! when a part of it is to become different; for that a table is put by when it is made, so that splitting cannot fail.

use machine::{LARGE_PAGE_SIZE, Larger, PAGE_SIZE, PageRange, Protection};
use paging::{Entry, MapError, PageSize, Tables};

use super::{
    Space, direct,
    flush::Changing,
    leaf::{OWNED, flags},
    tables::{free_frames, zero_page},
};

/// Frames of a large page.
const FRAMES: usize = LARGE_PAGE_SIZE / PAGE_SIZE;
/// Without the program's wish, a large page must leave this part of the memory free.
const PLENTY: usize = 4;

const _: () = assert!(PageSize::Large.bytes() == LARGE_PAGE_SIZE);

/// Makes the large page around `page` present if that is possible; `false`, and nothing done, if not.
#[cold]
pub fn populate(space: &Space, page: usize, protection: Protection, larger: Larger) -> bool {
    let address = page & !(LARGE_PAGE_SIZE - 1);
    let statistics = contracts::frames::statistics();
    if larger == Larger::IfPlenty && statistics.free * PLENTY < statistics.total || statistics.free < 2 * FRAMES {
        return false;
    }
    // Something smaller is there: asked before a frame is taken and zeroed, and again when it is mapped.
    if space.lock().tables().next_leaf(address..address + LARGE_PAGE_SIZE).is_some() {
        return false;
    }
    let Some(first) = contracts::frames::allocate_run(FRAMES, FRAMES) else { return false };
    let physical = first * PAGE_SIZE;
    for frame in 0..FRAMES {
        // SAFETY: the frames were just given to us, so nothing refers to them.
        unsafe { zero_page(direct(physical + frame * PAGE_SIZE)) };
    }
    let mapped = map(space, address, physical, protection);
    if !mapped {
        free_frames(physical, FRAMES);
    }
    mapped
}

fn map(space: &Space, address: usize, physical: usize, protection: Protection) -> bool {
    let mut memory = space.lock();
    if !memory.put_table_by() {
        return false;
    }
    let entry = Entry::new(physical, flags(protection, true) | Entry::LARGE);
    let mapped = memory.tables().update(address, PageSize::Large, |_, before| match before {
        Entry::EMPTY => Ok(entry),
        _ => Err(MapError::InTheWay),
    });
    if mapped.is_err() {
        let table = memory.take_table_put_by();
        paging::TableMemory::free(&mut *memory, table);
    }
    mapped.is_ok()
}

/// Whether a large page is there with this protection already: another processor was first.
#[cold]
pub fn has(space: &Space, page: usize, protection: Protection) -> bool {
    let mut memory = space.lock();
    let flags = flags(protection, true) | Entry::LARGE;
    let entry = memory.tables().find(page).map_or(Entry::EMPTY, |(entry, _)| entry);
    Entry(entry.0 & !Entry::MARKS) == entry.with_flags(flags)
}

/// Splits the large pages that lie only partly in `range`.
pub fn split_borders(tables: &mut Tables<'_, Changing<'_>>, range: &PageRange) {
    if !tables.memory().memory.has_large_pages() {
        return;
    }
    for border in [range.start, range.end] {
        if !border.is_multiple_of(LARGE_PAGE_SIZE) {
            split(tables, border);
        }
    }
}

/// Splits all large pages that lie in `range`, or partly.
pub fn split_all(tables: &mut Tables<'_, Changing<'_>>, range: &PageRange) {
    let mut next = range.start;
    while let Some((address, size)) = tables.next_leaf(next..range.end) {
        next = (address | (LARGE_PAGE_SIZE - 1)) + 1;
        if size == PageSize::Large {
            split(tables, address);
        }
    }
}

fn split(tables: &mut Tables<'_, Changing<'_>>, address: usize) {
    if let Some((entry, PageSize::Large)) = tables.find(address) {
        debug_assert!(entry.has(OWNED), "large pages are the application's own");
        let table = tables.memory().memory.take_table_put_by();
        // The leaf is there: splitting has no other way to fail. Each small one translates as the large one did, so
        // nobody need forget that.
        let _ = tables.split(address, table);
    }
}
