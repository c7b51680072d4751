//! Resizing and moving mappings (mremap).

use machine::{PAGE_SIZE, PageRange, SpaceHandle};
use regions::{Region, RegionKind};

use super::{AddressSpace, MemoryError, fault::granted_first, rewriting::is_stubs, space::State};

/// Whether and where a mapping moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// It stays where it is, or is refused.
    No,
    /// It moves when it cannot grow in place (MREMAP_MAYMOVE).
    IfNeeded,
    /// To this address, where whatever was there goes (MREMAP_FIXED).
    To(usize, Left),
    /// Anywhere, and its old addresses stay mapped (MREMAP_DONTUNMAP).
    LeaveEmpty,
}

/// What stays where a mapping was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing.
    Nothing,
    /// A mapping of the same kind, not touched yet (MREMAP_DONTUNMAP).
    Empty,
}

impl AddressSpace {
    /// Changes the mapping `old`, which must lie in one region, to `new_length` bytes (a multiple of a page), moving
    /// it as `movement` says. Returns its address.
    pub fn remap(&self, old: PageRange, new_length: usize, movement: Move) -> Result<usize, MemoryError> {
        let result = self.remap_locked(old, new_length, movement);
        self.let_go();
        result
    }

    fn remap_locked(&self, old: PageRange, new_length: usize, movement: Move) -> Result<usize, MemoryError> {
        self.check(&old)?;
        if new_length == 0 || !new_length.is_multiple_of(PAGE_SIZE) {
            return Err(MemoryError::BadRange);
        }
        let mut state = self.state.lock();
        let region = state.regions.find(old.start).filter(|region| !is_stubs(region));
        let region = region.cloned().ok_or(MemoryError::NotMapped)?;
        state.may_change(&old)?;
        state.leave(&self.handle, &self.limits, &old);
        // The platform's page is one page (Linux: VM_DONTEXPAND).
        let cannot_grow = region.kind == RegionKind::Platform && new_length > old.len();
        if region.end < old.end || cannot_grow {
            return Err(MemoryError::NotMapped);
        }
        let stays = matches!(movement, Move::LeaveEmpty | Move::To(_, Left::Empty));
        if state.account.counts() {
            self.may_have(&state, &region, new_length.saturating_sub(if stays { 0 } else { old.len() }))?;
        }
        match movement {
            Move::To(target, Left::Nothing) => {
                let new = self.fixed_target(&mut state, &old, new_length, target)?;
                return transfer(&self.handle, &mut state, &region, old, new);
            }
            Move::To(target, Left::Empty) => {
                let new = self.fixed_target(&mut state, &old, new_length, target)?;
                return transfer_leaving_empty(&self.handle, &mut state, &region, old, new);
            }
            Move::LeaveEmpty => {
                let room = self.find_room(&state, new_length)?;
                return transfer_leaving_empty(&self.handle, &mut state, &region, old, room);
            }
            Move::No | Move::IfNeeded => {}
        }
        let length = old.end - old.start;
        if new_length <= length {
            state.release(&self.handle, &(old.start + new_length..old.end));
            return Ok(old.start);
        }
        if self.grow_in_place(&mut state, &region, &old, new_length)? {
            return Ok(old.start);
        }
        if movement == Move::No {
            return Err(MemoryError::OutOfMemory);
        }
        let room = self.find_room(&state, new_length)?;
        transfer(&self.handle, &mut state, &region, old, room)
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
        if region.end != old.end || self.check(&added).is_err() || !state.regions.is_free(&added) {
            return Ok(false);
        }
        attach(&self.handle, state, region, old.end, added)?;
        Ok(true)
    }

    /// The range at `target`, free now.
    fn fixed_target(
        &self,
        state: &mut State,
        old: &PageRange,
        new_length: usize,
        target: usize,
    ) -> Result<PageRange, MemoryError> {
        let end = target.checked_add(new_length).ok_or(MemoryError::BadRange)?;
        let new = target..end;
        self.check(&new)?;
        if new.start < old.end && old.start < new.end {
            return Err(MemoryError::BadRange);
        }
        state.may_change(&new)?;
        state.release(&self.handle, &new);
        Ok(new)
    }
}

/// Moves the pages of `old` to the free range `new`; a longer `new` continues the region's source.
fn transfer(
    space: &SpaceHandle,
    state: &mut State,
    region: &Region,
    old: PageRange,
    new: PageRange,
) -> Result<usize, MemoryError> {
    let target = new.start;
    let kept = (old.end - old.start).min(new.end - new.start);
    attach(space, state, region, old.start, new.clone())?;
    let source = region.source_at(old.start);
    let moved = contracts::translations::relocate(
        space,
        old.start..old.start + kept,
        target,
        granted_first(region.protection),
        source,
    );
    if let Err(error) = moved {
        state.release(space, &new);
        return Err(error.into());
    }
    state.release(space, &old);
    Ok(target)
}

/// As [`transfer`], but `old` stays mapped, with the contents of a fresh mapping.
fn transfer_leaving_empty(
    space: &SpaceHandle,
    state: &mut State,
    region: &Region,
    old: PageRange,
    new: PageRange,
) -> Result<usize, MemoryError> {
    let target = transfer(space, state, region, old.clone(), new)?;
    attach(space, state, &Region { locked: false, ..region.clone() }, old.start, old)?;
    Ok(target)
}

/// Attaches and books `range` as the part of `region` that would begin at `origin`.
fn attach(
    space: &SpaceHandle,
    state: &mut State,
    region: &Region,
    origin: usize,
    range: PageRange,
) -> Result<(), MemoryError> {
    let source = region.source_at(origin);
    contracts::translations::attach(space, range.clone(), granted_first(region.protection), source)?;
    let offset = region.offset + (origin - region.start) as u64;
    if state.account.counts() {
        state.account.add(region, range.len());
    }
    state.regions.insert(Region { start: range.start, end: range.end, source, offset, ..region.clone() });
    Ok(())
}
