//! A file system: reading what describes it, and the nodes that somebody has seen.

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Weak},
    vec,
    vec::Vec,
};

use sync::Mutex;
use vfs::{FileError, FileSystem, Place, SliceSink, Unmountable};

use crate::{REMEMBERED, World, field, inode::Inode, node::Item, superblock::Superblock};

/// A file system.
pub struct Volume {
    pub world: World,
    pub superblock: Superblock,
    /// Nodes by their numbers: one, however many names it has.
    seen: Mutex<BTreeMap<u32, Weak<Item>>>,
    /// Those used last.
    recent: Mutex<VecDeque<Arc<Item>>>,
}

impl Volume {
    pub fn open(world: World) -> Result<Self, Unmountable> {
        let superblock = Superblock::read(&world.disk, &*world.store)?;
        Ok(Self { world, superblock, seen: Mutex::default(), recent: Mutex::default() })
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

    /// The node of an inode, which has been found at `place` if it is a directory.
    pub fn item(self: &Arc<Self>, number: u32, place: Option<Place>) -> Result<Arc<Item>, FileError> {
        if let Some(known) = self.known(number) {
            return Ok(known);
        }
        let item = Item::new(self, self.inode(number)?, place)?;
        // Another processor may have been faster. What goes then goes without the lock.
        let faster = {
            let mut seen = self.seen.lock();
            let known = seen.get(&number).and_then(Weak::upgrade);
            if known.is_none() {
                seen.insert(number, Arc::downgrade(&item));
            }
            known
        };
        let item = faster.unwrap_or(item);
        self.remember(item.clone());
        Ok(item)
    }

    fn known(&self, number: u32) -> Option<Arc<Item>> {
        self.seen.lock().get(&number).and_then(Weak::upgrade)
    }

    fn remember(&self, item: Arc<Item>) {
        let mut recent = self.recent.lock();
        recent.push_back(item);
        let forgotten = if recent.len() > REMEMBERED { recent.pop_front() } else { None };
        drop(recent);
        drop(forgotten);
    }

    /// A node goes.
    pub fn leave(&self, number: u32) {
        let mut seen = self.seen.lock();
        if seen.get(&number).is_some_and(|known| known.strong_count() == 0) {
            seen.remove(&number);
        }
    }

    pub fn file_system(&self) -> FileSystem {
        let Superblock { block_size, blocks, free, .. } = self.superblock;
        FileSystem { magic: 0xef53, block_size, blocks, free }
    }
}
