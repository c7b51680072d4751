//! Seeing by few looks that nothing is mapped in a range.

use core::ops::Range;

use architecture::current::page_table::shift;

use crate::{
    Entry, TableMemory, Tables,
    tables::{ENTRIES, LEVELS, index},
};

/// The level whose entries point to tables of small leaves.
const LOWEST: usize = 2;
/// Entries behind a range that are looked at.
const NEAR: usize = 16;

impl<M: TableMemory> Tables<'_, M> {
    /// Whether surely nothing is mapped in `range`; `false` also where more than a few looks would tell. So it is with
    /// most of a thread's stack, of which all is forgotten again and again that lies below the part in use.
    ///
    /// `range` is page-aligned, not empty, and lies within one half of the address space.
    #[must_use]
    pub fn is_clear(&self, range: &Range<usize>) -> bool {
        let last = range.end - 1;
        if (range.start ^ last) >> shift(LOWEST + 1) != 0 {
            return false;
        }
        let mut table = self.root;
        for level in (LOWEST + 1..=LEVELS).rev() {
            let entry = self.memory.read(table, index(range.start, level));
            if entry.is_empty() {
                return true;
            }
            if entry.has(Entry::LARGE) && level < LEVELS {
                return false;
            }
            table = entry.address();
        }
        let last_table = index(last, LOWEST);
        for position in index(range.start, LOWEST)..last_table {
            if !self.memory.read(table, position).is_empty() {
                return false;
            }
        }
        let entry = self.memory.read(table, last_table);
        entry.is_empty() || !entry.has(Entry::LARGE) && self.all_behind(entry, index(last, 1) + 1)
    }

    /// Whether all that is in use of the table that `parent` points to lies closely behind its entries up to `behind`.
    #[inline]
    fn all_behind(&self, parent: Entry, behind: usize) -> bool {
        let (mut children, table) = (parent.children(), parent.address());
        // Most often they are the very next ones.
        for index in behind..ENTRIES.min(behind + NEAR) {
            if children == 0 {
                break;
            }
            children -= usize::from(!self.memory.read(table, index).is_empty());
        }
        children == 0
    }
}
