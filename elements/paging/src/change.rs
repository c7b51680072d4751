//! Changing and taking away leaves of a range.

use core::ops::Range;

use crate::{
    Entry, TableMemory, Tables,
    tables::{ENTRIES, LEVELS, index, shift},
};

impl<M: TableMemory> Tables<'_, M> {
    /// Replaces each leaf of 4 KB in `range` by what `change` answers for its address. [`Entry::EMPTY`] takes it away,
    /// and tables that become empty go back to the memory, which `change` gets too. Large pages stay as they are.
    ///
    /// `range` is page-aligned and lies within one half of the address space.
    pub fn change(&mut self, range: Range<usize>, mut change: impl FnMut(&mut M, usize, Entry) -> Entry) {
        if !range.is_empty() {
            self.change_table(self.root, LEVELS, range.start, range.end - 1, &mut change);
        }
    }

    /// Does so in one table; returns how many of its entries became empty. `last` is inclusive.
    fn change_table(
        &mut self,
        table: usize,
        level: usize,
        first: usize,
        last: usize,
        change: &mut dyn FnMut(&mut M, usize, Entry) -> Entry,
    ) -> usize {
        let mut emptied = 0;
        let mut address = first;
        for position in index(first, level)..=index(last, level) {
            let end_of_entry = address | ((1 << shift(level)) - 1);
            let before = self.memory.read(table, position);
            if !before.is_empty() {
                let after = if level == 1 {
                    change(self.memory, address, before)
                } else {
                    self.change_below(before, level, address, last.min(end_of_entry), change)
                };
                if after != before {
                    self.memory.write(table, position, after);
                    emptied += usize::from(after.is_empty());
                }
            }
            address = end_of_entry.wrapping_add(1);
        }
        emptied
    }

    /// Does so in the table that `entry` points to; returns what `entry` becomes.
    fn change_below(
        &mut self,
        entry: Entry,
        level: usize,
        first: usize,
        last: usize,
        change: &mut dyn FnMut(&mut M, usize, Entry) -> Entry,
    ) -> Entry {
        if entry.has(Entry::LARGE) {
            return entry;
        }
        let emptied = self.change_table(entry.address(), level - 1, first, last, change);
        if emptied == 0 || emptied < entry.children() {
            return entry.fewer_children(emptied);
        }
        self.memory.free(entry.address());
        Entry::EMPTY
    }

    /// Gives back the tables on the way to `address` that are empty.
    pub(crate) fn prune(&mut self, address: usize) {
        self.prune_table(self.root, LEVELS, address);
    }

    fn prune_table(&mut self, table: usize, level: usize, address: usize) -> usize {
        let position = index(address, level);
        let entry = self.memory.read(table, position);
        if level == 1 || entry.is_empty() || entry.has(Entry::LARGE) {
            return 0;
        }
        let emptied = self.prune_table(entry.address(), level - 1, address);
        if emptied < entry.children() {
            self.memory.write(table, position, entry.fewer_children(emptied));
            return 0;
        }
        self.memory.free(entry.address());
        self.memory.write(table, position, Entry::EMPTY);
        1
    }
}

const _: () = assert!(ENTRIES == 512 && LEVELS == 4);
