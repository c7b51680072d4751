//! Making mappings (mmap).

use machine::{LARGE_PAGE_SIZE, Larger, PAGE_SIZE, PageRange, Protection, Source};
use regions::{FileReference, Region, RegionKind};

use super::{
    AddressSpace, MemoryError,
    fault::granted_first,
    space::{MOST_REGIONS, State},
};

/// Where a mapping is to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The kernel chooses.
    Anywhere,
    /// At the address if it is free, else anywhere.
    Hint,
    /// At the address; what is there goes (MAP_FIXED).
    Fixed,
    /// At the address, or [`MemoryError::Exists`] (MAP_FIXED_NOREPLACE).
    FixedNoReplace,
}

/// A wish for a mapping.
#[derive(Clone, Debug)]
pub struct MapRequest {
    /// The address wished for; ignored for [`Placement::Anywhere`].
    pub address: usize,
    /// Bytes; rounded up to pages.
    pub length: usize,
    /// Where it is to go.
    pub placement: Placement,
    /// What may be done there.
    pub protection: Protection,
    /// First contents.
    pub source: Source,
    /// What it is for.
    pub kind: RegionKind,
    /// The file, if it shows one.
    pub file: Option<FileReference>,
    /// Offset in that file.
    pub offset: u64,
    /// Whether memory should be there for all of it (false: MAP_NORESERVE).
    pub reserve: bool,
    /// Whether it grows downwards.
    pub grows_down: bool,
}

/// Bytes from which on a wish is held against the machine's memory.
const WORTH_A_QUESTION: usize = 1 << 20;

impl AddressSpace {
    /// Makes a mapping; returns its address.
    pub fn map(&self, request: &MapRequest) -> Result<usize, MemoryError> {
        let length = machine::page_align_up(request.length).filter(|&length| length > 0);
        let length = length.ok_or(MemoryError::BadRange)?;
        Self::refuse_hopeless(request, length)?;
        let mut state = self.state.lock_in_line();
        let address = self.map_locked(&mut state, request, length);
        let has_left = state.has_left();
        drop(state);
        if has_left {
            self.let_go();
        }
        address
    }

    /// Does so in a book that is already locked.
    pub(super) fn map_locked(
        &self,
        state: &mut State,
        request: &MapRequest,
        length: usize,
    ) -> Result<usize, MemoryError> {
        if state.regions.count() >= MOST_REGIONS {
            return Err(MemoryError::OutOfMemory);
        }
        if state.account.counts() {
            self.may_map(state, request, length)?;
        }
        let range = self.place_request(state, request, length)?;
        let granted = granted_first(request.protection);
        self.insist(state, || contracts::translations::attach(&self.handle, range.clone(), granted, request.source))?;
        let inserted = state.regions.insert(Region {
            start: range.start,
            end: range.end,
            protection: request.protection,
            source: request.source,
            kind: request.kind,
            file: request.file.clone(),
            offset: request.offset,
            grows_down: request.grows_down,
            larger: if request.grows_down { Larger::No } else { Larger::IfPlenty },
            locked: false,
            sealed: false,
        });
        debug_assert!(inserted, "the range was free");
        if state.account.counts() {
            state.add(&range, self.locks_new() && request.kind != RegionKind::Platform);
        }
        Ok(range.start)
    }

    /// As Linux' default overcommit: what can never fit is refused at once, everything else when it is touched.
    pub(super) fn refuse_hopeless(request: &MapRequest, length: usize) -> Result<(), MemoryError> {
        let counted = request.reserve && request.protection.write && request.source == Source::Zero;
        // Asking how much memory there is can cost a host call: small wishes fit any machine.
        if counted && length >= WORTH_A_QUESTION && length > contracts::memory_report::memory_use().total {
            return Err(MemoryError::OutOfMemory);
        }
        Ok(())
    }

    /// Where a mapping of so many bytes would be placed.
    #[must_use]
    pub fn room(&self, length: usize) -> Option<usize> {
        let length = machine::page_align_up(length)?;
        self.find_room(&self.state.lock(), length).ok().map(|range| range.start)
    }

    fn place_request(&self, state: &mut State, request: &MapRequest, length: usize) -> Result<PageRange, MemoryError> {
        let end = request.address.checked_add(length);
        let wished = end.map(|end| request.address..end).ok_or(MemoryError::OutOfMemory);
        match request.placement {
            Placement::Fixed => {
                let range = wished?;
                self.check(&range)?;
                state.may_change(&range)?;
                state.release(&self.handle, &range);
                return Ok(range);
            }
            Placement::FixedNoReplace => {
                let range = wished?;
                self.check(&range)?;
                return if state.regions.overlaps(&range) { Err(MemoryError::Exists) } else { Ok(range) };
            }
            Placement::Hint => {
                let aligned = machine::page_align_down(request.address);
                let range = aligned..aligned.saturating_add(length);
                if self.check(&range).is_ok() && state.regions.is_free(&range) {
                    return Ok(range);
                }
            }
            Placement::Anywhere => {}
        }
        self.find_room(state, length)
    }

    /// Room below the mapping ceiling, else anywhere.
    pub(super) fn find_room(&self, state: &State, length: usize) -> Result<PageRange, MemoryError> {
        let low = self.limits.start.max(PAGE_SIZE);
        // A length of large pages (Linux since 6.7) is placed so that it can have them.
        if length.is_multiple_of(LARGE_PAGE_SIZE)
            && let Some(padded) = length.checked_add(LARGE_PAGE_SIZE)
            && let Some(start) = state.regions.highest_gap(padded, low..state.map_ceiling)
        {
            let end = (start + padded) & !(LARGE_PAGE_SIZE - 1);
            return Ok(end - length..end);
        }
        let start = state
            .regions
            .highest_gap(length, low..state.map_ceiling)
            .or_else(|| state.regions.highest_gap(length, low..self.limits.end))
            .ok_or(MemoryError::OutOfMemory)?;
        Ok(start..start + length)
    }
}
