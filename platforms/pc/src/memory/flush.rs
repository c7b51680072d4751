//! The one place where translations are forgotten.
//!
//! A processor remembers translations after the tables have changed, and walks tables that have been taken out of them.
//! So what an operation takes away is gathered in [`Gone`]: first the tables change, then every processor forgets, and
//! only then frames and tables are given back, to be used for something else.
//!
//! Nobody holds a lock of tables here, but the caller may hold its address space's: a processor that waits for
//! that lock must still be able to answer.

use core::mem::MaybeUninit;

use machine::{PAGE_SIZE, PageRange};
use paging::{Entry, PageSize, TableMemory, Tables};
use x86_64::registers::{flush_page, flush_translations};

use super::{
    Space,
    shared::give_back,
    shootdown::shoot_down,
    tables::{PageTables, free_table},
};

/// From this many pages on, forgetting all translations is cheaper than forgetting each.
const FORGET_ALL: usize = 16;

/// Has every processor forget what it remembers of `range` of `space`, which is not empty, and of the tables on the way
/// there. What a processor forgets of another space than its own it does not know.
pub fn invalidate(space: &Space, range: &PageRange) {
    forget(range);
    shoot_down(space, range);
}

/// The same of one page, for which a range would be walked.
#[inline]
pub fn invalidate_one(space: &Space, page: usize) {
    flush_page(page);
    shoot_down(space, &(page..page + PAGE_SIZE));
}

/// Has this processor forget it.
pub fn forget(range: &PageRange) {
    if range.len() <= FORGET_ALL * PAGE_SIZE {
        range.clone().step_by(PAGE_SIZE).for_each(flush_page);
    } else {
        flush_translations();
    }
}

/// Frames in a row: the first one's physical address, and how many.
type Run = (usize, u32);

/// Runs of frames kept until they can be given back. Pages that were touched in order are one run.
const RUNS: usize = 32;
/// Tables that can become empty with one leaf.
const TABLES: usize = 3;
/// Stands in a run for a table, which is full of zeros.
const TABLE: u32 = 0;

/// What one operation has taken out of the tables.
pub struct Gone {
    /// From the first page that may be remembered to behind the last one.
    pages: PageRange,
    runs: [MaybeUninit<Run>; RUNS],
    count: usize,
}

impl Gone {
    /// Nothing yet.
    #[inline]
    #[expect(clippy::reversed_empty_ranges, reason = "the first leaf makes it a range")]
    pub const fn new() -> Self {
        Self { pages: usize::MAX..0, runs: [MaybeUninit::uninit(); RUNS], count: 0 }
    }

    /// Whether it cannot take another leaf and the tables on the way to it.
    pub const fn is_full(&self) -> bool {
        self.count + 1 + TABLES > RUNS
    }

    /// Notes a leaf that has changed. One that was not present is remembered by no processor.
    #[inline]
    pub fn leaf(&mut self, address: usize, before: Entry, size: PageSize) {
        if before.has(Entry::PRESENT) {
            self.pages = self.pages.start.min(address)..self.pages.end.max(address + size.bytes());
        }
    }

    /// Notes that any page of `range` may be remembered.
    pub fn range(&mut self, range: &PageRange) {
        self.pages = self.pages.start.min(range.start)..self.pages.end.max(range.end);
    }

    /// Notes frames that are to be given back.
    #[inline]
    pub fn frames(&mut self, physical: usize, bytes: usize) {
        let count = (bytes / PAGE_SIZE) as u32;
        if let Some(last) = self.count.checked_sub(1) {
            // SAFETY: runs below `count` are initialised.
            let (start, length) = unsafe { self.runs[last].assume_init_mut() };
            if *start + *length as usize * PAGE_SIZE == physical && *length != TABLE {
                *length += count;
                return;
            }
        }
        self.runs[self.count] = MaybeUninit::new((physical, count));
        self.count += 1;
    }

    /// Notes an empty table that is to be given back.
    #[inline]
    fn table(&mut self, physical: usize) {
        self.runs[self.count] = MaybeUninit::new((physical, TABLE));
        self.count += 1;
    }

    /// Has all processors forget, then gives the frames back.
    #[inline]
    pub fn finish(&mut self, space: &Space) {
        if self.pages.start < self.pages.end {
            invalidate(space, &self.pages);
        }
        for run in &self.runs[..self.count] {
            // SAFETY: as above.
            let (physical, count) = unsafe { run.assume_init() };
            if count == TABLE {
                free_table(physical);
            } else {
                give_back(physical, count as usize);
            }
        }
    }
}

/// Tables while leaves are taken out: tables that become empty wait with the frames.
pub struct Changing<'a> {
    pub memory: &'a mut PageTables,
    pub gone: &'a mut Gone,
}

impl TableMemory for Changing<'_> {
    fn allocate(&mut self) -> Option<usize> {
        self.memory.allocate()
    }

    fn free(&mut self, table: usize) {
        self.gone.table(table);
    }

    #[inline(always)]
    fn read(&self, table: usize, index: usize) -> Entry {
        self.memory.read(table, index)
    }

    #[inline(always)]
    fn write(&mut self, table: usize, index: usize, entry: Entry) {
        self.memory.write(table, index, entry);
    }

    fn next_used(&self, table: usize, index: usize, end: usize) -> usize {
        self.memory.next_used(table, index, end)
    }

    fn write_run(&mut self, table: usize, index: usize, entry: Entry, step: usize, count: usize) {
        self.memory.write_run(table, index, entry, step, count);
    }
}

/// Changes the tables of `space` by `change`, then has what it took away forgotten and given back.
#[inline]
pub fn gathered<R>(space: &Space, change: impl FnOnce(&mut Tables<'_, Changing<'_>>) -> R) -> R {
    let mut gone = Gone::new();
    let result = {
        let mut memory = space.lock();
        let root = memory.root;
        let mut changing = Changing { memory: &mut memory, gone: &mut gone };
        change(&mut Tables::new(&mut changing, root))
    };
    gone.finish(space);
    result
}
