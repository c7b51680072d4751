//! Moving leaves to other addresses.

use core::ops::Range;

use crate::{Entry, MapError, PageSize, TableMemory, Tables};

impl<M: TableMemory> Tables<'_, M> {
    /// Moves each leaf in `from` to the same place behind `to`, where nothing is mapped. All tables are made first, so
    /// that a lack of frames leaves everything as it was.
    ///
    /// Both are page-aligned, lie within one half of the address space, and do not overlap. Leaves of 2 MB lie wholly
    /// in `from`, and move only by multiples of their size: others are split before.
    pub fn relocate(&mut self, from: Range<usize>, to: usize) -> Result<(), MapError> {
        let distance = to.wrapping_sub(from.start);
        let mut next = from.start;
        while let Some((address, size)) = self.next_leaf(next..from.end) {
            let target = address.wrapping_add(distance);
            if let Err(error) = self.make_table(target, size as usize) {
                self.prune_range(to..to + from.len());
                return Err(error);
            }
            next = match size {
                // The other leaves of the target's table need no further one.
                PageSize::Small => (target | (PageSize::Large.bytes() - 1)).wrapping_add(1).wrapping_sub(distance),
                _ => address + size.bytes(),
            };
        }
        let mut next = from.start;
        while let Some((address, size)) = self.next_leaf(next..from.end) {
            next = address + size.bytes();
            if let Some((entry, _)) = self.find(address) {
                self.map(address.wrapping_add(distance), size, entry)?;
                self.change(address..next, false, |_, _, _, _| Some(Entry::EMPTY));
            }
        }
        Ok(())
    }

    fn prune_range(&mut self, range: Range<usize>) {
        let first = range.start & !(PageSize::Large.bytes() - 1);
        (first..range.end).step_by(PageSize::Large.bytes()).for_each(|address| self.prune(address));
    }
}
