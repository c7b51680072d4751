//! Looking names up: here, else below.

use alloc::sync::Arc;

use super::{
    directory::{Above, Directory},
    head::Head,
    leaf::Leaf,
    slots::{Known, key},
};
use crate::{FileError, Kind, Node};

impl Directory {
    /// The node of that name.
    pub(super) fn find(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        match self.known(name) {
            Known::Node(node) => Ok(node),
            Known::Nothing(_) => Err(FileError::NotFound),
            Known::Ask => {
                let lower = self.head.lower.as_ref().ok_or(FileError::NotFound)?.lookup(name)?;
                let node = self.admit(name, self.shown(name, lower)?)?;
                // What goes for it goes after the lock.
                let _gone = self.head.shared.recent.lock().keep(&node);
                Ok(node)
            }
        }
    }

    /// A node that shows `lower`, which has that name below.
    fn shown(&self, name: &[u8], lower: Arc<dyn Node>) -> Result<Arc<dyn Node>, FileError> {
        let myself = self.myself.upgrade().ok_or(FileError::NotFound)?;
        let name = name.into();
        let shared = &self.head.shared;
        if lower.kind() == Kind::Directory {
            return Ok(Directory::new(Head::below(shared.clone(), lower), Some((Above::Held(myself), name))));
        }
        let metadata = lower.metadata();
        if metadata.links < 2 {
            return Ok(Leaf::below(shared.clone(), lower, None, (myself, name)));
        }
        let key = key(metadata.device, metadata.inode);
        let mut linked = shared.linked.lock();
        if let Known::Node(node) = linked.find(&key) {
            return Ok(node);
        }
        let leaf: Arc<dyn Node> = Leaf::below(shared.clone(), lower, Some(key.clone()), (myself, name));
        linked.see(&key, &leaf);
        Ok(leaf)
    }

    /// Enters a node that shows what is below, unless the name has come to mean something else meanwhile.
    fn admit(&self, name: &[u8], node: Arc<dyn Node>) -> Result<Arc<dyn Node>, FileError> {
        // `node` goes after the lock, if it goes: what is below may have to be told.
        let mut inside = self.inside.lock();
        match inside.slots.find(name) {
            _ if inside.removed => Err(FileError::NotFound),
            Known::Node(node) => Ok(node),
            Known::Nothing(_) => Err(FileError::NotFound),
            Known::Ask => {
                inside.slots.see(name, &node);
                drop(inside);
                Ok(node)
            }
        }
    }

    /// Refuses a name that something has; answers whether something below had it.
    pub(super) fn check_vacant(&self, name: &[u8]) -> Result<bool, FileError> {
        match self.known(name) {
            Known::Node(_) => Err(FileError::Exists),
            Known::Nothing(covers) => Ok(covers),
            Known::Ask => match self.head.lower.as_ref().map(|lower| lower.lookup(name)) {
                Some(Ok(_)) => Err(FileError::Exists),
                None | Some(Err(FileError::NotFound)) => Ok(false),
                Some(Err(error)) => Err(error),
            },
        }
    }
}
