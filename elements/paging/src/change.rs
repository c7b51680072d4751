//! Changing and taking away leaves of a range.

use core::ops::Range;

use architecture::current::page_table::shift;

use crate::{
    Entry, MapError, PageSize, TableMemory, Tables,
    tables::{ENTRIES, LEVELS, Place, index},
};

/// Where a walk ended.
enum Found {
    /// Nothing is mapped in the whole entry of this level.
    Nothing(usize),
    /// A leaf in the table of this level.
    Leaf(usize),
    /// A table of small leaves, here.
    Table(usize),
}

/// The lowest level whose entries point to tables.
const LOWEST: usize = 2;
/// A walk: the entries on the way from the root, the highest level first.
type Path = [Place; LEVELS - 1];

impl<M: TableMemory> Tables<'_, M> {
    /// Replaces each leaf in `range` by what `change` answers for it. [`Entry::EMPTY`] takes it away, and tables that
    /// become empty go back to the memory, which `change` gets too; but with `keep` tables of small leaves stay, until
    /// [`Tables::prune`]. `None` stops before this leaf, whose address is the answer.
    ///
    /// Larger pages that lie only partly in `range` stay as they are: see [`Tables::split`]. `range` is page-aligned
    /// and lies within one half of the address space.
    pub fn change(
        &mut self,
        range: Range<usize>,
        keep: bool,
        mut change: impl FnMut(&mut M, usize, Entry, PageSize) -> Option<Entry>,
    ) -> Option<usize> {
        let mut address = range.start;
        let mut path = [Place { table: self.root, index: 0 }; LEVELS - 1];
        while address < range.end {
            let (level, stopped) = match self.descend(address, &mut path) {
                Found::Nothing(level) => {
                    address = self.skip_empty(path[LEVELS - level], level, address, range.end);
                    continue;
                }
                Found::Leaf(level) => (level, self.change_leaf(&path, level, address, range.end, &mut change)),
                Found::Table(table) => (LOWEST, self.change_table(&path, table, address..range.end, keep, &mut change)),
            };
            if stopped.is_some() {
                return stopped;
            }
            address = (address | ((1 << shift(level)) - 1)).checked_add(1)?;
        }
        None
    }

    /// Takes the small leaf at `address` out and answers it, [`Entry::EMPTY`] if there was none; its table stays, even
    /// if it is empty now, until [`Tables::prune`]. [`MapError::InTheWay`], and nothing done, if a larger page is
    /// there.
    #[inline]
    pub fn take(&mut self, address: usize) -> Result<Entry, MapError> {
        let (mut table, mut parent) = (self.root, Place { table: self.root, index: 0 });
        for level in (LOWEST..=LEVELS).rev() {
            parent = Place { table, index: index(address, level) };
            let entry = self.memory.read(table, parent.index);
            if entry.is_empty() {
                return Ok(Entry::EMPTY);
            }
            if level < LEVELS && entry.has(Entry::LARGE) {
                return Err(MapError::InTheWay);
            }
            table = entry.address();
        }
        let leaf = self.memory.read(table, index(address, 1));
        if !leaf.is_empty() {
            self.memory.write(table, index(address, 1), Entry::EMPTY);
            let entry = self.memory.read(parent.table, parent.index);
            self.memory.write(parent.table, parent.index, entry.fewer_children(1));
        }
        Ok(leaf)
    }

    /// Walks to the table of small leaves for `address`, or to where that ends.
    #[inline(always)]
    fn descend(&self, address: usize, path: &mut Path) -> Found {
        let mut table = self.root;
        for (depth, place) in path.iter_mut().enumerate() {
            let level = LEVELS - depth;
            *place = Place { table, index: index(address, level) };
            let entry = self.memory.read(table, place.index);
            if entry.is_empty() {
                return Found::Nothing(level);
            }
            if level < LEVELS && entry.has(Entry::LARGE) {
                return Found::Leaf(level);
            }
            table = entry.address();
        }
        Found::Table(table)
    }

    /// The entry at `place`, on the way to `address`, is empty: the address that the next one that is not covers, `end`
    /// if that is further away than the table reaches. Ranges of stacks are mostly such entries, and whole spaces too.
    fn skip_empty(&self, place: Place, level: usize, address: usize, end: usize) -> usize {
        let shift = shift(level);
        let here = address >> shift << shift;
        let entries = ENTRIES.min(place.index + ((end - 1 - here) >> shift) + 1);
        let next = self.memory.next_used(place.table, place.index + 1, entries);
        end.min(here.saturating_add((next - place.index) << shift))
    }

    /// Changes a leaf of more than 4 KB, if all of it lies before `end`.
    fn change_leaf(
        &mut self,
        path: &Path,
        level: usize,
        address: usize,
        end: usize,
        change: &mut impl FnMut(&mut M, usize, Entry, PageSize) -> Option<Entry>,
    ) -> Option<usize> {
        let Place { table, index } = path[LEVELS - level];
        let before = self.memory.read(table, index);
        let size = before.size(level)?;
        if !address.is_multiple_of(size.bytes()) || end - address < size.bytes() {
            return None;
        }
        let Some(after) = change(self.memory, address, before, size) else { return Some(address) };
        self.memory.write(table, index, after);
        self.emptied(&path[..LEVELS - level], usize::from(after.is_empty()), false);
        None
    }

    /// Changes the leaves of one table, from the start of `range` on.
    #[inline(always)]
    fn change_table(
        &mut self,
        path: &Path,
        table: usize,
        range: Range<usize>,
        keep: bool,
        change: &mut impl FnMut(&mut M, usize, Entry, PageSize) -> Option<Entry>,
    ) -> Option<usize> {
        let first = index(range.start, 1);
        let behind = ENTRIES.min(first + (range.len() >> shift(1)));
        let (mut emptied, mut stopped) = (0, None);
        let Place { table: above, index: parent } = path[LEVELS - LOWEST];
        // What is behind the last entry in use need not be looked at: most tables of a small program are used at one
        // end.
        let mut unseen = self.memory.read(above, parent).children();
        let mut next = first;
        while next < behind && unseen != 0 {
            let mut before = self.memory.read(table, next);
            if before.is_empty() {
                next = if behind - next == 1 { behind } else { self.memory.next_used(table, next + 1, behind) };
                if next == behind {
                    break;
                }
                before = self.memory.read(table, next);
            }
            let position = next;
            next += 1;
            unseen -= 1;
            let page = range.start + ((position - first) << shift(1));
            let Some(after) = change(self.memory, page, before, PageSize::Small) else {
                stopped = Some(page);
                break;
            };
            if after != before {
                self.memory.write(table, position, after);
                emptied += usize::from(after.is_empty());
            }
        }
        self.emptied(path, emptied, keep);
        stopped
    }

    /// Notes that so many entries of the table that the last of `path` points to have become empty, and gives back the
    /// tables that are.
    #[inline(always)]
    fn emptied(&mut self, path: &[Place], count: usize, keep: bool) {
        let mut count = count;
        for &Place { table, index } in path.iter().rev() {
            if count == 0 {
                return;
            }
            let entry = self.memory.read(table, index);
            if count < entry.children() || keep {
                self.memory.write(table, index, entry.fewer_children(count));
                return;
            }
            self.memory.write(table, index, Entry::EMPTY);
            self.memory.free(entry.address());
            count = 1;
        }
    }

    /// Replaces the leaf of 2 MB that covers `address` by a table of small leaves with the same rights; `table` is one
    /// full of [`Entry::EMPTY`]. [`MapError::InTheWay`], and nothing done, if there is no such leaf.
    pub fn split(&mut self, address: usize, table: usize) -> Result<(), MapError> {
        let level = PageSize::Large as usize;
        let mut parent = self.root;
        for above in (level + 1..=LEVELS).rev() {
            let entry = self.memory.read(parent, index(address, above));
            if entry.is_empty() || entry.has(Entry::LARGE) {
                return Err(MapError::InTheWay);
            }
            parent = entry.address();
        }
        let large = self.memory.read(parent, index(address, level));
        if !large.has(Entry::LARGE) {
            return Err(MapError::InTheWay);
        }
        let first = Entry(large.0 & !Entry::LARGE);
        self.memory.write_run(table, 0, first, PageSize::Small.bytes(), ENTRIES);
        let user = address < crate::tables::LOWER_HALF_END;
        self.memory.write(parent, index(address, level), Entry::table(table, user).more_children(ENTRIES));
        Ok(())
    }

    /// Gives back the tables on the way to `address` that are empty.
    pub fn prune(&mut self, address: usize) {
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
