//! Moving leaves to other addresses.

use core::ops::Range;

use crate::{Entry, MapError, PageSize, TableMemory, Tables};

impl<M: TableMemory> Tables<'_, M> {
    /// Moves each leaf of 4 KB in `from` to the same place behind `to`, where nothing is mapped. All tables are made
    /// first, so that a lack of frames leaves everything as it was.
    ///
    /// Both are page-aligned, lie within one half of the address space, and do not overlap.
    pub fn relocate(&mut self, from: Range<usize>, to: usize) -> Result<(), MapError> {
        let distance = to.wrapping_sub(from.start);
        let mut next = from.start;
        while let Some(address) = self.next_leaf(next..from.end) {
            let target = address.wrapping_add(distance);
            if let Err(error) = self.make_table(target, PageSize::Small as usize) {
                self.prune_range(to..to + from.len());
                return Err(error);
            }
            // The other leaves of the target's table need no further one.
            let table_end = (target | (PageSize::Large.bytes() - 1)).wrapping_add(1);
            next = table_end.wrapping_sub(distance);
        }
        let mut next = from.start;
        while let Some(address) = self.next_leaf(next..from.end) {
            next = address + PageSize::Small.bytes();
            if let Some((entry, PageSize::Small)) = self.find(address) {
                self.map(address.wrapping_add(distance), PageSize::Small, entry)?;
                self.change(address..next, |_, _, _| Entry::EMPTY);
            }
        }
        Ok(())
    }

    fn prune_range(&mut self, range: Range<usize>) {
        let first = range.start & !(PageSize::Large.bytes() - 1);
        (first..range.end).step_by(PageSize::Large.bytes()).for_each(|address| self.prune(address));
    }
}
