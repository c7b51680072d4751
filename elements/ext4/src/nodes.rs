//! The nodes that somebody holds, and what is known of those held last.

use alloc::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Weak},
};

use sync::{Mutex, Once};
use vfs::{
    FileError, Kind, Place,
    cache::{Contents, Stamp},
    pipe::Pipe,
};

use crate::{contents::Bytes, directory::Lazily, inode::Inode, node::Item, volume::Volume};

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
    fn read(volume: &Arc<Volume>, number: u32) -> Result<Arc<Self>, FileError> {
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

/// The nodes of a file system.
pub struct Nodes {
    pub volume: Arc<Volume>,
    /// By their numbers: one, however many names it has.
    seen: Mutex<BTreeMap<u32, Weak<Item>>>,
    recent: Mutex<Recent>,
}

/// What is known of the inodes that were read last.
#[derive(Default)]
struct Recent {
    known: BTreeMap<u32, Arc<Known>>,
    /// Numbers of those, the oldest first.
    order: VecDeque<u32>,
}

impl Recent {
    /// Remembers an inode, and gives back what is forgotten for it.
    fn add(&mut self, known: &Arc<Known>) -> Option<Arc<Known>> {
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

impl Nodes {
    pub fn new(volume: Volume) -> Arc<Self> {
        Arc::new(Self { volume: Arc::new(volume), seen: Mutex::default(), recent: Mutex::default() })
    }

    /// The node of an inode, which has been found at `place` if it is a directory.
    pub fn item(self: &Arc<Self>, number: u32, place: Option<Place>) -> Result<Arc<Item>, FileError> {
        if let Some(seen) = self.seen(number) {
            return Ok(seen);
        }
        let item = Item::new(self, self.known(number)?, place);
        // Another processor may have been faster. What goes then goes without the lock.
        let faster = {
            let mut seen = self.seen.lock();
            let faster = seen.get(&number).and_then(Weak::upgrade);
            if faster.is_none() {
                seen.insert(number, Arc::downgrade(&item));
            }
            faster
        };
        Ok(faster.unwrap_or(item))
    }

    fn seen(&self, number: u32) -> Option<Arc<Item>> {
        self.seen.lock().get(&number).and_then(Weak::upgrade)
    }

    /// What is remembered of an inode, or else read and remembered.
    fn known(&self, number: u32) -> Result<Arc<Known>, FileError> {
        let remembered = self.recent.lock().known.get(&number).cloned();
        if let Some(known) = remembered {
            return Ok(known);
        }
        let known = Known::read(&self.volume, number)?;
        let forgotten = self.recent.lock().add(&known);
        // It may have memory to give back: not under the lock.
        drop(forgotten);
        Ok(known)
    }

    /// A node goes.
    pub fn leave(&self, number: u32) {
        let mut seen = self.seen.lock();
        if seen.get(&number).is_some_and(|node| node.strong_count() == 0) {
            seen.remove(&number);
        }
    }
}
