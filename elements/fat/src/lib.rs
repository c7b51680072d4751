//! FAT12, FAT16 and FAT32 as [`vfs::Node`]s, read and written. The format is the crate `hadris-fat`'s; here it becomes
//! a tree: nodes that are the same however they are found, contents that can be mapped, and files that live on while
//! they are open though their name is gone.
//!
//! Layers, from below: `device` brings sectors from the disk; `volume` has the file system behind a lock; `contents` is
//! what is in a file; `item` and `names` are the tree.
//!
//! # What is promised
//! What a write has answered is on its way to the disk; [`vfs::Node::sync`] makes it last, its length included. There
//! is no promise about a crash: FAT keeps no journal, and what was under way may leave lost clusters behind. A name
//! that is removed while its file is open is another one (`.whittle-removed-N` in the root, not shown) until that is
//! closed. Names are found whatever their case. There are no links, owners or permissions: all is the mounter's, and
//! may be read, written and executed unless it is marked read-only. Times of changes have steps of two seconds.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod contents;
mod convert;
mod device;
mod item;
mod names;
mod node;
#[cfg(test)]
mod tests;
mod volume;

use alloc::sync::Arc;

use page_cache::{Backing, Contents, Pool};
use vfs::{Node, Owner, SliceSink, Time, Unmountable};

/// What a file system needs of the world around it.
pub struct World {
    /// Its number, as stat(2) shows it.
    pub device: u64,
    /// Whose everything on it is.
    pub owner: Owner,
    /// Nothing on it changes.
    pub read_only: bool,
    /// The clock.
    pub now: fn() -> Time,
    /// The disk's bytes by way of its page cache. Its memory must not be `pool`'s.
    pub disk: Arc<Contents>,
    /// The disk's bytes as they are.
    pub store: Arc<dyn Backing>,
    /// Memory for files' contents.
    pub pool: &'static Pool,
}

/// Whether a disk looks like one with such a file system: the jump at its beginning, bytes of a sector, and the mark at
/// the first one's end (FAT specification 1.03, section 3.1).
#[must_use]
pub fn is_on(disk: &Contents) -> bool {
    let mut first = [0; 512];
    let count = disk.read_at(0, &mut SliceSink::new(&mut first));
    let sector = u16::from_le_bytes([first[11], first[12]]);
    count == Ok(512)
        && matches!(first[0], 0xeb | 0xe9)
        && matches!(sector, 512 | 1024 | 2048 | 4096)
        && first[510..] == [0x55, 0xaa]
}

/// The root of the file system on a disk.
pub fn mount(world: World) -> Result<Arc<dyn Node>, Unmountable> {
    match item::Item::root(&volume::Volume::open(world)?) {
        Ok(root) => Ok(root),
        Err(_) => Err(Unmountable("its root directory cannot be read")),
    }
}
