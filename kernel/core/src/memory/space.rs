//! An address space: its book, its layout, and what can be taken away from it.

use alloc::sync::Arc;
use core::ops::Range;

use machine::{PAGE_SIZE, PageRange, PagerError, Protection};
use regions::{Region, Regions};
use sync::Mutex;

use super::program_break::ProgramBreak;

/// Why a memory operation was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// No memory, or no room in the address space.
    OutOfMemory,
    /// The addresses are not ones an application may use, or the length is 0 or too long.
    BadRange,
    /// Part of the range is not mapped.
    NotMapped,
    /// Something is mapped there already.
    Exists,
}

impl From<PagerError> for MemoryError {
    fn from(error: PagerError) -> Self {
        match error {
            PagerError::OutOfMemory => Self::OutOfMemory,
            PagerError::BadRange => Self::BadRange,
        }
    }
}

/// An application's address space.
pub struct AddressSpace {
    /// Addresses an application may use at all.
    pub(super) limits: Range<usize>,
    pub(super) state: Mutex<State>,
}

pub(super) struct State {
    pub(super) regions: Regions,
    /// Mappings without a wished address are placed below this.
    pub(super) map_ceiling: usize,
    pub(super) program_break: ProgramBreak,
}

impl State {
    /// Takes what is mapped in `range` away.
    pub(super) fn release(&mut self, range: &PageRange) {
        self.regions.remove(range, &mut |taken| contracts::pager::detach(taken));
    }
}

impl AddressSpace {
    /// Bits of randomness in the place of mappings and of position-independent programs.
    const RANDOM_BITS: u32 = 34;

    /// The address space that is active on this processor, empty. `randomize` moves the top of mappings by a random
    /// distance.
    #[must_use]
    pub fn new(randomize: bool) -> Arc<Self> {
        let limits = contracts::pager::user_range();
        let state = State { regions: Regions::new(), map_ceiling: limits.end, program_break: ProgramBreak::default() };
        let space = Self { limits, state: Mutex::new(state) };
        space.place(randomize);
        Arc::new(space)
    }

    /// Empties the space for a new program (execve) and places its mappings anew.
    pub fn clear(&self, randomize: bool) {
        let mut state = self.state.lock();
        state.program_break = ProgramBreak::default();
        state.release(&self.limits);
        drop(state);
        self.place(randomize);
    }

    fn place(&self, randomize: bool) {
        // The main stack lies above the mappings: leave it room.
        let shift = if randomize { random(Self::RANDOM_BITS) * PAGE_SIZE } else { 0 };
        let room = machine::page_align_down((self.limits.end - self.limits.start) / 4);
        self.state.lock().map_ceiling = self.limits.end - STACK_ROOM - shift % room;
    }

    /// The addresses an application may use.
    #[must_use]
    pub fn limits(&self) -> Range<usize> {
        self.limits.clone()
    }

    /// The addresses above all placed mappings, for the main stack.
    #[must_use]
    pub fn stack_window(&self) -> Range<usize> {
        let ceiling = self.state.lock().map_ceiling;
        ceiling..(ceiling + STACK_ROOM).min(self.limits.end)
    }

    /// A random page-aligned address inside `window` at which `length` bytes fit, and nothing is mapped.
    #[must_use]
    pub fn random_place(&self, window: Range<usize>, length: usize) -> Option<usize> {
        let pages = window.end.checked_sub(window.start)?.checked_sub(length)? / PAGE_SIZE;
        let state = self.state.lock();
        (0..64)
            .map(|_| window.start + random(Self::RANDOM_BITS) % (pages + 1) * PAGE_SIZE)
            .find(|&start| !state.regions.overlaps(&(start..start + length)))
    }

    /// Takes mappings away (munmap). Unmapped parts are passed over.
    pub fn unmap(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        self.state.lock().release(&range);
        Ok(())
    }

    /// Changes what may be done (mprotect). Mapped pages before the first gap are changed even when
    /// [`MemoryError::NotMapped`] is answered, as Linux does.
    pub fn protect(&self, range: PageRange, protection: Protection) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock();
        let mut at = range.start;
        while at < range.end {
            let region = state.regions.find(at).ok_or(MemoryError::NotMapped)?;
            let piece = at..region.end.min(range.end);
            contracts::pager::protect(piece.clone(), super::fault::granted_first(protection))?;
            state.regions.protect(&piece, protection);
            at = piece.end;
        }
        Ok(())
    }

    /// Forgets the contents of pages (MADV_DONTNEED); the next access finds what a fresh mapping would hold.
    pub fn discard(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        let state = self.state.lock();
        let mut at = range.start;
        while at < range.end
            && let Some(region) = state.regions.first_behind(at).filter(|region| region.start < range.end)
        {
            let start = region.start.max(at);
            at = region.end.min(range.end);
            let granted = super::fault::granted_first(region.protection);
            contracts::pager::discard(start..at, granted, region.source_at(start))?;
        }
        if state.regions.covers(&range) { Ok(()) } else { Err(MemoryError::NotMapped) }
    }

    /// Whether every page of `range` is mapped.
    #[must_use]
    pub fn is_mapped(&self, range: &PageRange) -> bool {
        self.state.lock().regions.covers(range)
    }

    /// The region that holds `address`, copied.
    #[must_use]
    pub fn region(&self, address: usize) -> Option<Region> {
        self.state.lock().regions.find(address).cloned()
    }

    /// Calls `visit` for each region in ascending order. `visit` must not touch application memory.
    pub fn for_each_region(&self, visit: &mut dyn FnMut(&Region)) {
        self.state.lock().regions.iter().for_each(visit);
    }

    /// A range must be page-aligned, not empty, and within the limits.
    pub(super) fn check(&self, range: &PageRange) -> Result<(), MemoryError> {
        let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
        let inside = self.limits.start <= range.start && range.end <= self.limits.end;
        if aligned && inside && range.start < range.end { Ok(()) } else { Err(MemoryError::BadRange) }
    }
}

/// Bytes kept free above the mappings for the main stack, its random shift included.
const STACK_ROOM: usize = 1 << 34;

fn random(bits: u32) -> usize {
    let mut bytes = [0; 8];
    contracts::entropy::fill(&mut bytes);
    usize::from_le_bytes(bytes) & ((1 << bits) - 1)
}
