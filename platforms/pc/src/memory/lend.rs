//! The application's memory where the direct map has it, for devices that fill it.

use alloc::vec::Vec;
use core::slice;

use machine::PAGE_SIZE;
use paging::{Entry, PageSize};

use super::{Space, direct, leaf::OWNED};

/// Shows `fill` the frames behind `length` bytes at `address` of `space`, neighbours as one place; `false` if a page is
/// not there, not writable, or not the application's alone. Nobody else runs.
pub fn lend(space: &Space, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool {
    let Some(runs) = runs(space, address, length) else { return false };
    // SAFETY: frames that belong to these pages alone and that the application may write; the direct map has them. Each
    // page comes once, and nobody else runs who could use them or take them away before `fill` returns.
    let places = runs.iter().map(|&(start, length)| unsafe { slice::from_raw_parts_mut(direct(start), length) });
    fill(&mut places.collect::<Vec<_>>());
    true
}

/// Physical addresses and lengths.
fn runs(space: &Space, address: usize, length: usize) -> Option<Vec<(usize, usize)>> {
    let end = address + length;
    // Before the lock: the heap may want pages.
    let mut runs: Vec<(usize, usize)> = Vec::with_capacity(length / PAGE_SIZE + 2);
    let mut memory = space.lock();
    let tables = memory.tables();
    let mut at = address;
    while at < end {
        let (entry, size) = tables.find(at)?;
        if !entry.has(Entry::PRESENT | Entry::WRITABLE | OWNED) {
            return None;
        }
        let bytes = if size == PageSize::Small { PAGE_SIZE } else { machine::LARGE_PAGE_SIZE };
        let inside = at % bytes;
        let count = (bytes - inside).min(end - at);
        let start = entry.address() + inside;
        match runs.last_mut() {
            Some((last, length)) if *last + *length == start => *length += count,
            _ => runs.push((start, count)),
        }
        at += count;
    }
    Some(runs)
}
