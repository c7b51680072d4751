//! Resizing and moving mappings (mremap).

use machine::{PAGE_SIZE, PageRange};
use regions::Region;

use super::{AddressSpace, MemoryError, fault::granted_first, space::State};

impl AddressSpace {
    /// Changes the mapping `old`, which must lie in one region, to `new_length` bytes (a multiple of a page), moving
    /// it if it cannot grow in place and `may_move`, or to `fixed`, where whatever was there goes. Returns its address.
    pub fn remap(
        &self,
        old: PageRange,
        new_length: usize,
        may_move: bool,
        fixed: Option<usize>,
    ) -> Result<usize, MemoryError> {
        self.check(&old)?;
        if new_length == 0 || !new_length.is_multiple_of(PAGE_SIZE) {
            return Err(MemoryError::BadRange);
        }
        let mut state = self.state.lock();
        let region = state.regions.find(old.start).cloned().ok_or(MemoryError::NotMapped)?;
        if region.end < old.end {
            return Err(MemoryError::NotMapped);
        }
        if let Some(target) = fixed {
            return self.move_to_fixed(&mut state, &region, old, new_length, target);
        }
        let length = old.end - old.start;
        if new_length <= length {
            state.release(&(old.start + new_length..old.end));
            return Ok(old.start);
        }
        if self.grow_in_place(&mut state, &region, &old, new_length)? {
            return Ok(old.start);
        }
        if !may_move {
            return Err(MemoryError::OutOfMemory);
        }
        let room = self.find_room(&state, new_length)?;
        transfer(&mut state, &region, old, room)
    }

    fn grow_in_place(
        &self,
        state: &mut State,
        region: &Region,
        old: &PageRange,
        new_length: usize,
    ) -> Result<bool, MemoryError> {
        let Some(end) = old.start.checked_add(new_length) else { return Ok(false) };
        let added = old.end..end;
        if region.end != old.end || self.check(&added).is_err() || state.regions.overlaps(&added) {
            return Ok(false);
        }
        attach(state, region, old.end, added)?;
        Ok(true)
    }

    fn move_to_fixed(
        &self,
        state: &mut State,
        region: &Region,
        old: PageRange,
        new_length: usize,
        target: usize,
    ) -> Result<usize, MemoryError> {
        let end = target.checked_add(new_length).ok_or(MemoryError::BadRange)?;
        let new = target..end;
        self.check(&new)?;
        if new.start < old.end && old.start < new.end {
            return Err(MemoryError::BadRange);
        }
        state.release(&new);
        transfer(state, region, old, new)
    }
}

/// Moves the pages of `old` to the free range `new`; a longer `new` continues the region's source.
fn transfer(state: &mut State, region: &Region, old: PageRange, new: PageRange) -> Result<usize, MemoryError> {
    let target = new.start;
    let kept = (old.end - old.start).min(new.end - new.start);
    attach(state, region, old.start, new)?;
    let source = region.source_at(old.start);
    contracts::pager::relocate(old.start..old.start + kept, target, granted_first(region.protection), source)?;
    state.release(&old);
    Ok(target)
}

/// Attaches and books `range` as the part of `region` that would begin at `origin`.
fn attach(state: &mut State, region: &Region, origin: usize, range: PageRange) -> Result<(), MemoryError> {
    let source = region.source_at(origin);
    contracts::pager::attach(range.clone(), granted_first(region.protection), source)?;
    let offset = region.offset + (origin - region.start) as u64;
    state.regions.insert(Region { start: range.start, end: range.end, source, offset, ..region.clone() });
    Ok(())
}
