//! The kernel's instructions and constants in large pages.
//!
//! The host copies no page tables of a file's pages, so each copy of a process would find its instructions by faults,
//! and lose them page by page when it ends: a third of what a short life costs. A large page of memory is one entry of
//! the tables, which is copied. It takes 2 MB of the host's memory, so a program that makes few processes has none.

use machine::{PageRange, Protection};

use super::share::share_again;
use crate::{
    host::{HostError, memory},
    layout,
    memory::arena::{ARENA, For, LARGE},
};

/// Lets large pages take the place of the instructions, the same ones: who runs them meanwhile goes on.
pub fn move_all() -> Result<(), HostError> {
    let text = layout::constant();
    let to = text.start..text.start + text.len().next_multiple_of(LARGE);
    let room = layout::room_of_constant();
    if !text.start.is_multiple_of(LARGE) || to.end > room.end {
        return Err(HostError::INVALID);
    }
    let taken = ARENA.lock().take(to.len() + LARGE, For::Seldom).ok_or(HostError::NO_MEMORY)?;
    let taken = taken..taken + to.len() + LARGE;
    let start = taken.start.next_multiple_of(LARGE);
    let result = fill(&(start..start + to.len()), &text)
        .and_then(|()| put(&(start..start + to.len()), &(text.end..to.end), to.start));
    // SAFETY: nobody else has these addresses.
    let again = unsafe { share_again(&taken) };
    if again.is_ok() {
        ARENA.lock().give_back(taken);
    }
    result
}

/// Large pages with the instructions.
fn fill(range: &PageRange, text: &PageRange) -> Result<(), HostError> {
    const EXECUTABLE: Protection = Protection { read: true, write: false, execute: true };
    // SAFETY: the addresses were taken for this.
    unsafe { memory::map_zeros_over(range) }?;
    memory::prefer_large(range, true)?;
    // SAFETY: the pages are as many, and nobody else's.
    unsafe { core::ptr::copy_nonoverlapping(text.start as *const u8, range.start as *mut u8, text.len()) };
    memory::make_large(range)?;
    // SAFETY: no reference leads there.
    unsafe { memory::protect(range, EXECUTABLE) }
}

/// Moves `pages` to `to`, if nothing lies in `rest`, which is what they take there beyond the instructions.
fn put(pages: &PageRange, rest: &PageRange, to: usize) -> Result<(), HostError> {
    if !rest.is_empty() {
        memory::map_at(rest, Protection::default(), memory::Contents::Zero)?;
    }
    // SAFETY: what was there is the same.
    unsafe { memory::relocate(pages, to) }
}
