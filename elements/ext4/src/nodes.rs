//! The nodes of a file system: one for each inode, made of what is known of it. What a node is, its owner says.

use alloc::sync::Arc;

use sync::Mutex;
use vfs::{FileError, seen::Seen};

use crate::{
    known::{Known, Recent},
    volume::Volume,
};

/// The nodes of a file system.
pub struct Nodes<T> {
    pub volume: Arc<Volume>,
    /// By their numbers: one, however many names it has.
    seen: Seen<u32, T>,
    recent: Mutex<Recent>,
}

impl<T> Nodes<T> {
    pub fn new(volume: Volume) -> Arc<Self> {
        Arc::new(Self { volume: Arc::new(volume), seen: Seen::default(), recent: Mutex::default() })
    }

    /// The node of an inode, made if nobody holds it.
    pub fn node(&self, number: u32, make: impl FnOnce(Arc<Known>) -> Arc<T>) -> Result<Arc<T>, FileError> {
        if let Some(seen) = self.seen.get(&number) {
            return Ok(seen);
        }
        let node = make(self.known(number)?);
        // Another processor may have been faster. What goes then goes without the lock.
        let faster = self.seen.add(number, &node);
        Ok(faster.unwrap_or(node))
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
    pub fn leave(&self, number: u32, node: &T) {
        self.seen.remove(&number, node);
    }
}
