//! A file system: reading what describes it.

use alloc::{vec, vec::Vec};

use vfs::{FileError, FileSystem, SliceSink, Unmountable};

use crate::{World, superblock::Superblock};

/// A file system.
pub struct Volume {
    pub world: World,
    pub superblock: Superblock,
}

impl Volume {
    pub fn open(world: World) -> Result<Self, Unmountable> {
        let superblock = Superblock::read(&world.disk, &*world.store)?;
        Ok(Self { world, superblock })
    }

    /// Reads bytes from the disk, all that are wanted.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), FileError> {
        let wanted = bytes.len();
        let count = self.world.disk.read_at(offset, &mut SliceSink::new(bytes))?;
        if count == wanted { Ok(()) } else { Err(FileError::Failed) }
    }

    /// The bytes of a block.
    pub fn block(&self, number: u64) -> Result<Vec<u8>, FileError> {
        let mut bytes = vec![0; self.superblock.block_size as usize];
        self.read(self.place(number)?, &mut bytes)?;
        Ok(bytes)
    }

    /// Where a block begins on the disk. The first one holds no file's data.
    pub fn place(&self, number: u64) -> Result<u64, FileError> {
        let inside = (1..self.superblock.blocks).contains(&number);
        if inside { Ok(number * self.superblock.block_size) } else { Err(FileError::Failed) }
    }

    pub fn file_system(&self) -> FileSystem {
        let Superblock { block_size, blocks, free, inodes, free_inodes, .. } = self.superblock;
        let (files, free_files) = (inodes.into(), free_inodes.into());
        FileSystem { magic: 0xef53, block_size, blocks, free, files, free_files }
    }
}
