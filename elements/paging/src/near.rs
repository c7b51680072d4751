//! Putting leaves one beside the other.

use architecture::current::page_table::shift;

use crate::{
    Entry, MapError, TableMemory, Tables,
    tables::{ENTRIES, Place, index},
};

/// The table that the last leaf was put into: most often the next one belongs there too, and needs no walk. It is good
/// as long as nothing is taken out of the tables.
#[derive(Debug, Default)]
pub struct Near {
    /// Where the entry that points to the table stands, and the table; `None` at first.
    table: Option<(Place, usize)>,
    /// The address, by what one table covers.
    span: usize,
}

impl<M: TableMemory> Tables<'_, M> {
    /// Puts a small leaf at `address`, making tables as needed; [`MapError::InTheWay`], and nothing done, if there is
    /// one.
    #[inline]
    pub fn put(&mut self, near: &mut Near, address: usize, leaf: Entry) -> Result<(), MapError> {
        const COVERS: u32 = shift(2) as u32;
        let (parent, table) = match near.table {
            Some(known) if near.span == address >> COVERS => known,
            _ => self.come_near(near, address, address >> COVERS)?,
        };
        let position = index(address, 1);
        if !self.memory.read(table, position).is_empty() {
            return Err(MapError::InTheWay);
        }
        self.memory.write(table, position, leaf);
        let entry = self.memory.read(parent.table, parent.index);
        debug_assert!(entry.children() < ENTRIES && entry.address() == table);
        self.memory.write(parent.table, parent.index, entry.more_children(1));
        Ok(())
    }

    #[inline(never)]
    fn come_near(&mut self, near: &mut Near, address: usize, span: usize) -> Result<(Place, usize), MapError> {
        *near = Near::default();
        let (parent, table) = self.make_table(address, 1)?;
        let parent = parent.ok_or(MapError::InTheWay)?;
        *near = Near { table: Some((parent, table)), span };
        Ok((parent, table))
    }
}
