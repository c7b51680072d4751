//! Looking at what is mapped.

use core::ops::Range;

use architecture::current::page_table::shift;

use crate::{
    Entry, PageSize, TableMemory, Tables,
    tables::{ENTRIES, LEVELS, index},
};

/// A present leaf with the rights that hold after all levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its first address.
    pub address: usize,
    /// Its first physical address.
    pub physical: usize,
    /// What it covers.
    pub size: PageSize,
    /// Stores are allowed.
    pub writable: bool,
    /// Instruction fetches are allowed.
    pub executable: bool,
    /// Ring 3 may use it.
    pub user: bool,
}

/// Rights that the levels above leave.
#[derive(Clone, Copy)]
struct Rights {
    writable: bool,
    executable: bool,
    user: bool,
}

impl Rights {
    const fn below(self, entry: Entry) -> Self {
        Self {
            writable: self.writable && entry.has(Entry::WRITABLE),
            executable: self.executable && !entry.has(Entry::NO_EXECUTE),
            user: self.user && entry.has(Entry::USER),
        }
    }
}

impl<M: TableMemory> Tables<'_, M> {
    /// Calls `visit` for every present leaf of the whole address space, in order, as the processor sees them.
    pub fn inspect(&self, visit: &mut impl FnMut(Leaf)) {
        let all = Rights { writable: true, executable: true, user: true };
        self.inspect_table(self.root, LEVELS, 0, all, visit);
    }

    /// The same of the lower half.
    pub fn inspect_lower_half(&self, visit: &mut impl FnMut(Leaf)) {
        let all = Rights { writable: true, executable: true, user: true };
        self.inspect_entries(self.root, LEVELS, 0..ENTRIES / 2, 0, all, visit);
    }

    fn inspect_table(&self, table: usize, level: usize, base: usize, above: Rights, visit: &mut impl FnMut(Leaf)) {
        self.inspect_entries(table, level, 0..ENTRIES, base, above, visit);
    }

    fn inspect_entries(
        &self,
        table: usize,
        level: usize,
        positions: Range<usize>,
        base: usize,
        above: Rights,
        visit: &mut impl FnMut(Leaf),
    ) {
        for position in positions {
            let entry = self.memory.read(table, position);
            if !entry.has(Entry::PRESENT) {
                continue;
            }
            let rights = above.below(entry);
            let address = canonical(base | position << shift(level));
            let Some(size) = entry.size(level) else {
                self.inspect_table(entry.address(), level - 1, address, rights, visit);
                continue;
            };
            // Bit 12 of a large leaf belongs to its memory type, not its address.
            let physical = entry.address() & !(size.bytes() - 1);
            let Rights { writable, executable, user } = rights;
            visit(Leaf { address, physical, size, writable, executable, user });
        }
    }

    /// The first leaf in `range` (page-aligned, within one half), present or not: its address and what it covers.
    pub fn next_leaf(&self, range: Range<usize>) -> Option<(usize, PageSize)> {
        let mut address = range.start;
        while address < range.end {
            let mut table = self.root;
            let mut level = LEVELS;
            loop {
                let entry = self.memory.read(table, index(address, level));
                if entry.is_empty() {
                    break;
                }
                match entry.size(level) {
                    Some(size) => return Some((address & !(size.bytes() - 1), size)),
                    None => (table, level) = (entry.address(), level - 1),
                }
            }
            address = (address | ((1 << shift(level)) - 1)).checked_add(1)?;
        }
        None
    }
}

/// Repeats bit 47 in the bits above it.
const fn canonical(address: usize) -> usize {
    ((address << 16) as isize >> 16) as usize
}
