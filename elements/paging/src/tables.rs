//! Walking and extending the tables.

use architecture::current::page_table::shift;

use crate::{Entry, PageSize};

/// How table frames are found and changed.
pub trait TableMemory {
    /// A table full of [`Entry::EMPTY`]; its physical address.
    fn allocate(&mut self) -> Option<usize>;
    /// Takes an empty table back.
    fn free(&mut self, table: usize);
    /// Entry `index` (below 512) of the table at this physical address.
    fn read(&self, table: usize, index: usize) -> Entry;
    /// Changes that entry.
    fn write(&mut self, table: usize, index: usize, entry: Entry);

    /// The first entry from `index` on and before `end` that is not empty; `end` if there is none. For memory that can
    /// look at several at a time: tables of large ranges are mostly empty.
    fn next_used(&self, table: usize, index: usize, end: usize) -> usize {
        (index..end).find(|&index| !self.read(table, index).is_empty()).unwrap_or(end)
    }

    /// Writes `count` entries from `index` on, the first `entry`, each next one `step` bytes further on in physical
    /// memory. For memory that can do this faster than one by one.
    fn write_run(&mut self, table: usize, index: usize, entry: Entry, step: usize, count: usize) {
        for offset in 0..count {
            self.write(table, index + offset, Entry(entry.0 + (offset * step) as u64));
        }
    }
}

/// Why a page was not mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapError {
    /// No frame for a table.
    OutOfMemory,
    /// A larger page is there already.
    InTheWay,
}

/// The tables below one root.
#[derive(Debug)]
pub struct Tables<'m, M> {
    pub(crate) memory: &'m mut M,
    pub(crate) root: usize,
}

/// Addresses below this are the application's, so tables on the way to them let ring 3 pass.
pub(crate) const LOWER_HALF_END: usize = 1 << 47;

pub(crate) const ENTRIES: usize = 512;
pub(crate) const LEVELS: usize = 4;

pub(crate) const fn index(address: usize, level: usize) -> usize {
    address >> shift(level) & (ENTRIES - 1)
}

impl<'m, M: TableMemory> Tables<'m, M> {
    /// The tables below the root table at this physical address.
    pub fn new(memory: &'m mut M, root: usize) -> Self {
        Self { memory, root }
    }

    /// Where table frames come from.
    pub fn memory(&mut self) -> &mut M {
        self.memory
    }

    /// The leaf that covers `address`, present or not, with its size.
    #[must_use]
    pub fn find(&self, address: usize) -> Option<(Entry, PageSize)> {
        let mut table = self.root;
        for level in (1..=LEVELS).rev() {
            let entry = self.memory.read(table, index(address, level));
            if entry.is_empty() {
                return None;
            }
            match entry.size(level) {
                Some(size) => return Some((entry, size)),
                None => table = entry.address(),
            }
        }
        None
    }

    /// Puts a leaf at `address`, making tables as needed; returns what was there before. `entry` of a large page has
    /// [`Entry::LARGE`].
    pub fn map(&mut self, address: usize, size: PageSize, entry: Entry) -> Result<Entry, MapError> {
        let level = size as usize;
        let (parent, table) = self.make_table(address, level)?;
        let before = self.memory.read(table, index(address, level));
        self.memory.write(table, index(address, level), entry);
        if before.is_empty() {
            self.count(parent, 1);
        }
        Ok(before)
    }

    /// Replaces the leaf at `address` by what `change` makes of it and of the memory, making tables as needed; in
    /// one walk. If `change` refuses, everything stays as it was.
    #[inline]
    pub fn update<E: From<MapError>>(
        &mut self,
        address: usize,
        size: PageSize,
        change: impl FnOnce(&mut M, Entry) -> Result<Entry, E>,
    ) -> Result<(), E> {
        let level = size as usize;
        let (parent, table) = self.walk(address, level)?;
        let before = self.memory.read(table, index(address, level));
        let after = match change(self.memory, before) {
            Ok(after) => after,
            Err(error) => {
                self.prune(address);
                return Err(error);
            }
        };
        self.memory.write(table, index(address, level), after);
        if before.is_empty() {
            self.count(parent, 1);
        }
        Ok(())
    }

    /// Puts `count` leaves of `size` at `address` and behind, the first one `first`, each next one a page further on in
    /// physical memory. Nothing may be mapped there yet: places are not looked at, so a leaf costs three instructions.
    pub fn map_run(&mut self, address: usize, size: PageSize, first: Entry, count: usize) -> Result<(), MapError> {
        let level = size as usize;
        let (mut address, mut entry, mut left) = (address, first, count);
        while left > 0 {
            let (parent, table) = self.walk(address, level)?;
            let position = index(address, level);
            let here = left.min(ENTRIES - position);
            debug_assert!((position..position + here).all(|place| self.memory.read(table, place).is_empty()));
            self.memory.write_run(table, position, entry, size.bytes(), here);
            entry.0 += (here * size.bytes()) as u64;
            self.count(parent, here);
            address = address.wrapping_add(here * size.bytes());
            left -= here;
        }
        Ok(())
    }

    /// The table of `level` on the way to `address`, made if it was not there, and the place of the entry that points
    /// to it.
    #[inline(never)]
    pub(crate) fn make_table(&mut self, address: usize, level: usize) -> Result<(Option<Place>, usize), MapError> {
        self.walk(address, level)
    }

    /// As [`Tables::make_table`], for page faults and boot: as part of its caller it takes half as many instructions.
    #[inline(always)]
    fn walk(&mut self, address: usize, level: usize) -> Result<(Option<Place>, usize), MapError> {
        // Written out: a loop over levels takes twice as many instructions.
        let mut place = Place { table: self.root, index: index(address, 4) };
        let mut table = self.step(address, place, None)?;
        for above in [3, 2] {
            if level < above {
                let parent = place;
                place = Place { table, index: index(address, above) };
                table = self.step(address, place, Some(parent))?;
            }
        }
        Ok((Some(place), table))
    }

    /// The table that the entry at `place` points to, made if there is none.
    #[inline(always)]
    fn step(&mut self, address: usize, place: Place, parent: Option<Place>) -> Result<usize, MapError> {
        let entry = self.memory.read(place.table, place.index);
        if entry.is_empty() {
            return self.add_table(address, place, parent);
        }
        if entry.has(Entry::LARGE) { Err(MapError::InTheWay) } else { Ok(entry.address()) }
    }

    #[cold]
    #[inline(never)]
    fn add_table(&mut self, address: usize, place: Place, parent: Option<Place>) -> Result<usize, MapError> {
        let Some(table) = self.memory.allocate() else {
            self.prune(address);
            return Err(MapError::OutOfMemory);
        };
        self.memory.write(place.table, place.index, Entry::table(table, address < LOWER_HALF_END));
        self.count(parent, 1);
        Ok(table)
    }

    /// Notes that the table that the entry at `parent` points to has `more` entries in use.
    fn count(&mut self, parent: Option<Place>, more: usize) {
        if let Some(Place { table, index }) = parent {
            let entry = self.memory.read(table, index);
            self.memory.write(table, index, entry.more_children(more));
        }
    }
}

/// Where an entry stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) table: usize,
    pub(crate) index: usize,
}
