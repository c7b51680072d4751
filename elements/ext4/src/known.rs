//! What is known of inodes, and those of them that were read last.

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
};

use page_cache::{Contents, Stamp};
use sync::Once;
use vfs::{FileError, Kind, pipe::Pipe};

use crate::{contents::Bytes, directory::Lazily, inode::Inode, volume::Volume};

/// Files and directories of which something is remembered though nobody holds them.
const REMEMBERED: usize = 256;

/// What is known of an inode: all of a node but where it is, so that what is remembered holds no directory above it,
/// and nothing that is remembered keeps the file system.
pub struct Known {
    pub inode: Inode,
    pub body: Body,
}

pub enum Body {
    File(Arc<Contents>),
    Directory(Lazily),
    Special(Once<Arc<Pipe>>),
    Link,
}

impl Known {
    pub fn read(volume: &Arc<Volume>, number: u32) -> Result<Arc<Self>, FileError> {
        let inode = volume.inode(number)?;
        let body = match inode.metadata.kind {
            Kind::Regular => {
                let stamp = Stamp { length: inode.metadata.size, ..Stamp::default() };
                let bytes = Bytes { volume: volume.clone(), inode: inode.clone() };
                Body::File(Contents::new(volume.world.pool, Arc::new(bytes), stamp))
            }
            Kind::Directory => Body::Directory(Lazily::default()),
            Kind::Link => Body::Link,
            _ => Body::Special(Once::new()),
        };
        Ok(Arc::new(Self { inode, body }))
    }
}

/// What is known of the inodes that were read last.
#[derive(Default)]
pub struct Recent {
    pub known: BTreeMap<u32, Arc<Known>>,
    /// Numbers of those, the oldest first.
    order: VecDeque<u32>,
}

impl Recent {
    /// Remembers an inode, and gives back what is forgotten for it.
    pub fn add(&mut self, known: &Arc<Known>) -> Option<Arc<Known>> {
        let number = known.inode.number;
        if let Some(other) = self.known.insert(number, known.clone()) {
            return Some(other);
        }
        self.order.push_back(number);
        if self.order.len() <= REMEMBERED {
            return None;
        }
        let oldest = self.order.pop_front()?;
        self.known.remove(&oldest)
    }
}
