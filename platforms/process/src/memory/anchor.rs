//! A page that nobody may touch, so that the host keeps the page tables of its neighbours.
//!
//! The host makes tables for a mapping that stands alone in 2 MB, and gives them back with it. A program that maps and
//! unmaps there pays that each time. Processes of the host's have libraries beside it; a static program of ours has
//! nothing. Any mapping beside it will do (the host's `free_pgtables` asks no more), so this one takes no memory.
//!
//! It lies where the kernel's book has nothing. So whatever comes there has it go first: a hole, in which a file is
//! shown page by page, would else be none.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use machine::{PAGE_SIZE, PageRange, Protection};

use super::spaces::here;
use crate::host::memory::{self, Contents};

/// Where it lies in a space; 0 if it does not. Whoever changes it has the lock of the space's book.
#[derive(Debug)]
pub struct Anchor(AtomicUsize);

impl Anchor {
    /// It does not lie anywhere.
    pub const fn new() -> Self {
        Self(AtomicUsize::new(0))
    }

    /// As in the space of which this one is a copy.
    pub fn inherit(&self, original: &Self) {
        self.0.store(original.0.load(Relaxed), Relaxed);
    }

    /// It is gone, with all that lay in the space.
    pub fn forget(&self) {
        self.0.store(0, Relaxed);
    }
}

/// Has it lie at `page` of the space where the processor is, if that is free.
#[inline]
pub fn keep(page: usize, is_free: &dyn Fn() -> bool) {
    if here().anchor.0.load(Relaxed) != page && is_free() {
        lay(page);
    }
}

#[cold]
fn lay(page: usize) {
    // Of the program before (execve).
    take_away();
    let range = page..page.saturating_add(PAGE_SIZE);
    // A host that refuses goes on making tables.
    if memory::map_at(&range, Protection::default(), Contents::Zero).is_ok() {
        here().anchor.0.store(page, Relaxed);
    }
}

/// Has it go, if it is in `range` of the space where the processor is.
#[inline]
pub fn give_way(range: &PageRange) {
    if range.contains(&here().anchor.0.load(Relaxed)) {
        take_away();
    }
}

#[cold]
fn take_away() {
    let place = here().anchor.0.swap(0, Relaxed);
    if place != 0 {
        // SAFETY: nothing lies there but this. It is a mapping of its own, so none is split, and the host does not
        // refuse.
        let _ = unsafe { memory::unmap(&(place..place + PAGE_SIZE)) };
    }
}
