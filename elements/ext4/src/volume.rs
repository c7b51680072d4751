//! A file system: reading what describes it.

use alloc::{vec, vec::Vec};

use vfs::{FileError, FileSystem, SliceSink, Unmountable};

use crate::{World, field, inode::Inode, superblock::Superblock};

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

    /// Reads an inode.
    pub fn inode(&self, number: u32) -> Result<Inode, FileError> {
        let Superblock { inodes, inodes_of_group, inode_size, descriptor_size, descriptors, .. } = self.superblock;
        if number == 0 || number > inodes {
            return Err(FileError::Failed);
        }
        let (group, index) = ((number - 1) / inodes_of_group, (number - 1) % inodes_of_group);
        let mut descriptor = vec![0; descriptor_size as usize];
        self.read(descriptors + u64::from(group) * descriptor_size, &mut descriptor)?;
        let high = if descriptor_size >= 64 { field::u32(&descriptor, 40) } else { 0 };
        let table = self.place(field::wide(field::u32(&descriptor, 8), high))?;
        let mut bytes = vec![0; inode_size as usize];
        self.read(table + u64::from(index) * inode_size, &mut bytes)?;
        Inode::parse(number, &bytes, self.world.device)
    }

    pub fn file_system(&self) -> FileSystem {
        let Superblock { block_size, blocks, free, inodes, free_inodes, .. } = self.superblock;
        let (files, free_files) = (inodes.into(), free_inodes.into());
        FileSystem { magic: 0xef53, block_size, blocks, free, files, free_files }
    }
}
