//! The pager: the application's half of the tables, filled as pages are touched.

use core::ops::Range;

use machine::{
    Access, Audit, AuditError, LARGE_PAGE_SIZE, Larger, MemoryUse, PAGE_SIZE, PageRange, PagerError, Protection,
    Source, page_align_down,
};
use paging::{Entry, MapError, PageSize, TableMemory as _, Tables};

use super::{
    MEMORY, audit,
    flush::{Changing, forget, gathered, invalidate_one},
    large,
    leaf::OWNED,
    machine_memory::free_frames,
    stacks,
};
use crate::layout::{DIRECT_BASE, USER};

/// Provider of the contract `pager`.
#[derive(Debug, Default)]
pub struct Pager;

impl Pager {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }

    /// Whether the page at `address` is there and permits the application this access.
    pub fn permits(&self, address: usize, access: Access) -> bool {
        let mut memory = MEMORY.lock();
        let found = USER.contains(&address).then(|| memory.tables().find(page_align_down(address))).flatten();
        found.is_some_and(|(entry, _)| {
            entry.has(Entry::PRESENT)
                && match access {
                    Access::Read => true,
                    Access::Write => entry.has(Entry::WRITABLE),
                    Access::Execute => !entry.has(Entry::NO_EXECUTE),
                }
        })
    }
}

impl machine::Pager for Pager {
    fn user_range(&self) -> Range<usize> {
        USER
    }

    fn attach(&self, range: PageRange, protection: Protection, _: Source) -> Result<(), PagerError> {
        check(&range)?;
        refuse_both(protection)
    }

    fn populate(
        &self,
        page: usize,
        access: Access,
        protection: Protection,
        source: Source,
        larger: Larger,
    ) -> Result<(), PagerError> {
        refuse_both(protection)?;
        if !page.is_multiple_of(PAGE_SIZE) || !USER.contains(&page) {
            return Err(PagerError::BadRange);
        }
        if larger != Larger::No && large::populate(page, protection, larger) {
            return Ok(());
        }
        let (mut was_there, mut has_moved) = (false, false);
        let updated = MEMORY.lock_in_line().tables().update(page, PageSize::Small, |memory, before| {
            let leaf = memory.leaf(before, access, protection, source).map_err(Refused::Pager)?;
            was_there = !before.is_empty();
            has_moved = was_there && leaf.address() != before.address();
            Ok(leaf)
        });
        match updated {
            Err(Refused::InTheWay) if large::has(page, protection) => {}
            // It changes over from writable to executable, or back.
            Err(Refused::InTheWay) => return self.protect(page..page + PAGE_SIZE, protection),
            Err(Refused::Pager(error)) => return Err(error),
            Ok(()) => {}
        }
        // A processor that knows the page with fewer rights comes here by a fault of its own; one that knows another
        // frame would read what is old.
        if has_moved {
            invalidate_one(page);
        } else if was_there {
            forget(&(page..page + PAGE_SIZE));
        }
        Ok(())
    }

    fn detach(&self, range: PageRange) {
        if range.len() == PAGE_SIZE && detach_one(range.start) {
            return;
        }
        if range.len() > MANY && MEMORY.lock().tables().is_clear(&range) {
            return;
        }
        let mut next = Some(range.start);
        while let Some(start) = next {
            next = gathered(|tables| detach_some(tables, start..range.end));
        }
    }

    fn forget(&self, range: PageRange) {
        gathered(|tables| {
            tables.change(range, true, |changing, address, entry, size| {
                if entry.has(OWNED) {
                    return Some(entry);
                }
                changing.gone.leaf(address, entry, size);
                Some(Entry::EMPTY)
            });
        });
    }

    fn protect(&self, range: PageRange, protection: Protection) -> Result<(), PagerError> {
        refuse_both(protection)?;
        check(&range)?;
        gathered(|tables| {
            large::split_borders(tables, &range);
            tables.change(range, true, |changing, address, entry, size| {
                changing.gone.leaf(address, entry, size);
                let large = if size == PageSize::Large { Entry::LARGE } else { 0 };
                Some(entry.with_flags(changing.memory.flags(protection, entry.has(OWNED)) | large))
            });
        });
        Ok(())
    }

    fn discard(&self, range: PageRange, _: Protection, _: Source) -> Result<(), PagerError> {
        check(&range)?;
        self.detach(range);
        Ok(())
    }

    fn forgets_alike(&self) -> bool {
        true
    }

    fn relocate(&self, from: PageRange, to: usize, _: Protection, _: Source) -> Result<(), PagerError> {
        check(&from)?;
        check(&(to..to.saturating_add(from.len())))?;
        let result = gathered(|tables| {
            if to.wrapping_sub(from.start).is_multiple_of(LARGE_PAGE_SIZE) {
                large::split_borders(tables, &from);
            } else {
                large::split_all(tables, &from);
            }
            // The frames stay in use, but the old addresses must not reach them.
            tables.memory().gone.range(&from);
            tables.relocate(from.clone(), to)
        });
        result.map_err(|_| PagerError::OutOfMemory)
    }

    fn populate_all(&self, _: PageRange, _: Access) -> bool {
        false
    }

    fn prefer(&self, _: PageRange, _: Larger) {}

    fn is_resident(&self, page: usize) -> bool {
        MEMORY.lock().tables().find(page).is_some()
    }

    fn allocate_kernel(&self, count: usize) -> Result<usize, PagerError> {
        let first = contracts::frames::allocate_run(count, 1).ok_or(PagerError::OutOfMemory)?;
        Ok(DIRECT_BASE + first * PAGE_SIZE)
    }

    fn free_kernel(&self, address: usize, count: usize) {
        let first = address.checked_sub(DIRECT_BASE).expect("a kernel page is in the direct map") / PAGE_SIZE;
        contracts::frames::free_run(first, count).expect("these pages were allocated");
    }

    fn allocate_page(&self) -> Result<usize, PagerError> {
        self.allocate_kernel(1)
    }

    fn free_page(&self, address: usize) {
        self.free_kernel(address, 1);
    }

    fn allocate_stack(&self) -> Result<usize, PagerError> {
        stacks::allocate()
    }

    fn free_stack(&self, top: usize) {
        stacks::free(top);
    }

    fn memory_use(&self) -> MemoryUse {
        let frames = contracts::frames::statistics();
        MemoryUse { total: frames.total * PAGE_SIZE, free: frames.free * PAGE_SIZE }
    }

    fn audit(&self) -> Result<Audit, AuditError> {
        audit::audit()
    }
}

/// Bytes from which on a range is looked at first: nothing may be in all of it.
const MANY: usize = 64 * PAGE_SIZE;

/// Takes one page away, where that empties no table but the one that is kept: a program that maps and unmaps single
/// pages comes here each time. `false`, and nothing done, where it is not so.
fn detach_one(page: usize) -> bool {
    let leaf = {
        let mut memory = MEMORY.lock_in_line();
        if (memory.kept ^ page) >= LARGE_PAGE_SIZE {
            return false;
        }
        let Ok(leaf) = memory.tables().take(page) else { return false };
        leaf
    };
    if leaf.has(Entry::PRESENT) {
        invalidate_one(page);
    }
    if leaf.has(OWNED) {
        free_frames(leaf.address(), 1);
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
    Pager(PagerError),
}

impl From<MapError> for Refused {
    fn from(error: MapError) -> Self {
        match error {
            MapError::InTheWay => Self::InTheWay,
            MapError::OutOfMemory => Self::Pager(PagerError::OutOfMemory),
        }
    }
}

fn check(range: &PageRange) -> Result<(), PagerError> {
    let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
    let inside = range.start >= USER.start && range.end <= USER.end;
    if aligned && inside { Ok(()) } else { Err(PagerError::BadRange) }
}

fn refuse_both(protection: Protection) -> Result<(), PagerError> {
    if protection.write && protection.execute { Err(PagerError::BadRange) } else { Ok(()) }
}
