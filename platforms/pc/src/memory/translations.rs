//! The application's half of the tables, filled as pages are touched.

use core::ops::Range;

use machine::{Access, LARGE_PAGE_SIZE, Larger, MemoryRefused, PAGE_SIZE, PageRange, Protection, Source, SpaceHandle};
use paging::{Entry, MapError, PageSize, TableMemory as _, Tables};

use super::{
    Space, code,
    flush::{Changing, forget, gathered, invalidate_one},
    large,
    leaf::{OWNED, kept_flags, leaf},
    shared::give_back,
    space::{self, several},
};
use crate::layout::USER;

/// Provider of the contract `translations`.
#[derive(Debug, Default)]
pub struct Translations;

impl Translations {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Translations for Translations {
    fn user_range(&self) -> Range<usize> {
        USER
    }

    #[inline(always)]
    fn several(&self) -> bool {
        several()
    }

    fn make(&self) -> Result<SpaceHandle, MemoryRefused> {
        space::make()
    }

    fn give_up(&self, space: SpaceHandle) {
        space::give_up(space, |space| detach(space, USER));
    }

    fn activate(&self, space: &SpaceHandle) {
        Space::of(space).activate();
    }

    fn duplicate(&self, from: &SpaceHandle, to: &SpaceHandle, range: PageRange) -> Result<(), MemoryRefused> {
        check(&range)?;
        space::duplicate(Space::of(from), Space::of(to), range)
    }

    fn attach(
        &self,
        _: &SpaceHandle,
        range: PageRange,
        protection: Protection,
        _: Source,
    ) -> Result<(), MemoryRefused> {
        check(&range)?;
        refuse_both(protection)
    }

    fn populate(
        &self,
        space: &SpaceHandle,
        page: usize,
        access: Access,
        protection: Protection,
        source: Source,
        larger: Larger,
    ) -> Result<(), MemoryRefused> {
        refuse_both(protection)?;
        let space = Space::of(space);
        if !page.is_multiple_of(PAGE_SIZE) || !USER.contains(&page) {
            return Err(MemoryRefused::BadRange);
        }
        if larger != Larger::No && large::populate(space, page, protection, larger) {
            return Ok(());
        }
        let (mut was_there, mut has_moved, mut left) = (false, false, None);
        let updated = space.lock_in_line().tables().update(page, PageSize::Small, |_, before| {
            let leaf = leaf(before, access, protection, source).map_err(Refused::Memory)?;
            was_there = !before.is_empty();
            has_moved = was_there && leaf.address() != before.address();
            left = (has_moved && before.has(OWNED)).then(|| before.address());
            Ok(leaf)
        });
        match updated {
            Err(Refused::InTheWay) if large::has(space, page, protection) => {}
            // It changes over from writable to executable, or back.
            Err(Refused::InTheWay) => return protect(space, page..page + PAGE_SIZE, protection),
            Err(Refused::Memory(error)) => return Err(error),
            Ok(()) => {}
        }
        // A processor that knows the page with fewer rights comes here by a fault of its own; one that knows another
        // frame would read what is old.
        if has_moved {
            invalidate_one(space, page);
        } else if was_there {
            forget(&(page..page + PAGE_SIZE));
        }
        if several()
            && let Some(frame) = left
        {
            give_back(frame, 1);
        }
        Ok(())
    }

    fn detach(&self, space: &SpaceHandle, range: PageRange) {
        detach(Space::of(space), range);
    }

    fn forget(&self, space: &SpaceHandle, range: PageRange) {
        gathered(Space::of(space), |tables| {
            tables.change(range, true, |changing, address, entry, size| {
                if entry.has(OWNED) {
                    return Some(entry);
                }
                changing.gone.leaf(address, entry, size);
                Some(Entry::EMPTY)
            });
        });
    }

    fn protect(&self, space: &SpaceHandle, range: PageRange, protection: Protection) -> Result<(), MemoryRefused> {
        refuse_both(protection)?;
        check(&range)?;
        protect(Space::of(space), range, protection)
    }

    fn discard(&self, space: &SpaceHandle, range: PageRange, _: Protection, _: Source) -> Result<(), MemoryRefused> {
        check(&range)?;
        detach(Space::of(space), range);
        Ok(())
    }

    fn forgets_alike(&self) -> bool {
        true
    }

    fn relocate(
        &self,
        space: &SpaceHandle,
        from: PageRange,
        to: usize,
        _: Protection,
        _: Source,
    ) -> Result<(), MemoryRefused> {
        check(&from)?;
        check(&(to..to.saturating_add(from.len())))?;
        let result = gathered(Space::of(space), |tables| {
            if to.wrapping_sub(from.start).is_multiple_of(LARGE_PAGE_SIZE) {
                large::split_borders(tables, &from);
            } else {
                large::split_all(tables, &from);
            }
            // The frames stay in use, but the old addresses must not reach them.
            tables.memory().gone.range(&from);
            tables.relocate(from.clone(), to)
        });
        result.map_err(|_| MemoryRefused::OutOfMemory)
    }

    fn populate_all(&self, _: &SpaceHandle, _: PageRange, _: Access) -> bool {
        false
    }

    fn prefer(&self, _: &SpaceHandle, _: PageRange, _: Larger) {}

    fn read(&self, space: &SpaceHandle, address: usize, bytes: &mut [u8]) -> Result<(), MemoryRefused> {
        code::read(Space::of(space), address, bytes)
    }

    fn write_code(&self, space: &SpaceHandle, address: usize, bytes: &[u8]) -> Result<(), MemoryRefused> {
        code::write(Space::of(space), address, bytes)
    }

    fn is_resident(&self, space: &SpaceHandle, page: usize) -> bool {
        Space::of(space).lock().tables().find(page).is_some()
    }

    fn resident(&self, space: &SpaceHandle) -> usize {
        let range = self.user_range();
        let (mut next, mut bytes) = (range.start, 0);
        while let Some((leaf, size)) = Space::of(space).lock().tables().next_leaf(next..range.end) {
            bytes += size.bytes();
            next = leaf + size.bytes();
        }
        bytes
    }
}

/// Bytes from which on a range is looked at first: nothing may be in all of it.
const MANY: usize = 64 * PAGE_SIZE;

fn detach(space: &Space, range: PageRange) {
    if range.len() == PAGE_SIZE && detach_one(space, range.start) {
        return;
    }
    if range.len() > MANY && space.lock().tables().is_clear(&range) {
        return;
    }
    let mut next = Some(range.start);
    while let Some(start) = next {
        next = gathered(space, |tables| detach_some(tables, start..range.end));
    }
}

fn protect(space: &Space, range: PageRange, protection: Protection) -> Result<(), MemoryRefused> {
    gathered(space, |tables| {
        large::split_borders(tables, &range);
        tables.change(range, true, |changing, address, entry, size| {
            changing.gone.leaf(address, entry, size);
            let large = if size == PageSize::Large { Entry::LARGE } else { 0 };
            Some(entry.with_flags(kept_flags(entry, protection) | large))
        });
    });
    Ok(())
}

/// Takes one page away, where that empties no table but the one that is kept: a program that maps and unmaps single
/// pages comes here each time. `false`, and nothing done, where it is not so.
fn detach_one(space: &Space, page: usize) -> bool {
    let leaf = {
        let mut memory = space.lock_in_line();
        if (memory.kept ^ page) >= LARGE_PAGE_SIZE {
            return false;
        }
        let Ok(leaf) = memory.tables().take(page) else { return false };
        leaf
    };
    if leaf.has(Entry::PRESENT) {
        invalidate_one(space, page);
    }
    if leaf.has(OWNED) {
        give_back(leaf.address(), 1);
    }
    true
}

/// Takes leaves away until there is no room for more of them; where that was.
fn detach_some(tables: &mut Tables<'_, Changing<'_>>, range: PageRange) -> Option<usize> {
    large::split_borders(tables, &range);
    let keep = range.len() == PAGE_SIZE;
    let start = range.start;
    let stopped = tables.change(range, keep, |changing, address, entry, size| {
        if changing.gone.is_full() {
            return None;
        }
        if entry.has(OWNED) {
            changing.gone.frames(entry.address() & !(size.bytes() - 1), size.bytes());
        }
        if size == PageSize::Large {
            let table = changing.memory.take_table_put_by();
            changing.memory.free(table);
        }
        changing.gone.leaf(address, entry, size);
        Some(Entry::EMPTY)
    });
    if keep {
        keep_table(tables, start);
    }
    stopped
}

/// A program that maps and unmaps single pages needs the same tables again at once: those that the last such page had
/// stay, even if they are empty now.
fn keep_table(tables: &mut Tables<'_, Changing<'_>>, address: usize) {
    let kept = &mut tables.memory().memory.kept;
    let previous = core::mem::replace(kept, address);
    if (previous ^ address) >= LARGE_PAGE_SIZE {
        tables.prune(previous);
    }
}

/// Why a leaf could not be made.
enum Refused {
    /// A large page is there.
    InTheWay,
    Memory(MemoryRefused),
}

impl From<MapError> for Refused {
    fn from(error: MapError) -> Self {
        match error {
            MapError::InTheWay => Self::InTheWay,
            MapError::OutOfMemory => Self::Memory(MemoryRefused::OutOfMemory),
        }
    }
}

fn check(range: &PageRange) -> Result<(), MemoryRefused> {
    let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
    let inside = range.start >= USER.start && range.end <= USER.end;
    if aligned && inside { Ok(()) } else { Err(MemoryRefused::BadRange) }
}

fn refuse_both(protection: Protection) -> Result<(), MemoryRefused> {
    if protection.write && protection.execute { Err(MemoryRefused::BadRange) } else { Ok(()) }
}
