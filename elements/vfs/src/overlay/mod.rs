//! A file system whose files come from a tree that does not change, until they do: changes are kept in memory.
//!
//! The tree below may be far away and slow, and its files large: nothing is copied but pages that are written to, and
//! no lock is held while it is asked. A directory is read from below once for each question, and remembers only what
//! is different here (`slots.rs`): names that are gone, nodes that are new, moved or changed. So there are no opaque
//! directories and no copies of directories: a new one has nothing below, and a moved one takes what it has below
//! along.
//!
//! Each file is one node as long as somebody holds it, before and after its first change, under all its names; what is
//! different keeps its node in memory, and the directories on the way to it. Hence descriptors and mappings from before
//! a change see it, and numbers never change.
//!
//! Races: a change first asks below what it must know, holding nothing; then it takes the lock of the whole tree
//! ([`Shared::tree`]), under which memory alone is touched, looks whether what it was told still stands, and begins
//! again if not. A look-up that asked below looks again at the directory afterwards, and what that has come to know
//! meanwhile counts. Below counts as unchanging: a file that somebody changes there shows a mixture, as Linux'
//! overlayfs does.

mod changed;
mod child;
mod claim;
mod contents;
mod directory;
mod edit;
mod head;
mod leaf;
mod list;
mod pages;
mod recent;
mod rename;
mod slots;

#[cfg(test)]
mod tests;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Mutex;

pub use changed::changed;

use crate::{FileSystem, Node, ramfs::Surroundings};
use directory::Directory;
use head::Head;
use recent::Recent;
use slots::Slots;

/// Numbers of nodes that are not from below begin here. No file system on a disk has numbers as large.
const FIRST_OWN: u64 = 1 << 62;

/// What all nodes of one overlay share.
struct Shared {
    surroundings: &'static dyn Surroundings,
    /// Its number.
    device: u64,
    /// The number of the file system that the root below is on.
    below: u64,
    next_inode: AtomicU64,
    /// Held while entries change, and for nothing that could wait.
    tree: Mutex<()>,
    /// Files that have several names below, by [`slots::key`].
    linked: Mutex<Slots>,
    /// What has been found below lately.
    recent: Mutex<Recent>,
}

/// The root of an overlay, whose number is `device`, over the tree at `below`. The `remembered` nodes found last are
/// found again without asking below. An overlay lives until the machine ends.
#[must_use]
pub fn root(
    below: Arc<dyn Node>,
    device: u64,
    surroundings: &'static dyn Surroundings,
    remembered: usize,
) -> Arc<dyn Node> {
    let shared = Shared {
        surroundings,
        device,
        below: below.metadata().device,
        next_inode: AtomicU64::new(FIRST_OWN),
        tree: Mutex::new(()),
        linked: Mutex::new(Slots::default()),
        recent: Mutex::new(Recent::new(remembered)),
    };
    Directory::new(Head::below(Arc::new(shared), below), None)
}

impl Shared {
    /// A number for a node that is not from below.
    fn inode(&self) -> u64 {
        self.next_inode.fetch_add(1, Ordering::Relaxed)
    }

    /// The number here of a node from below. Those of the root's file system keep theirs.
    fn inode_of(&self, device: u64, inode: u64) -> u64 {
        if device == self.below {
            return inode;
        }
        (inode ^ device.wrapping_mul(0x9e37_79b9_7f4a_7c15)) % FIRST_OWN
    }

    fn file_system(&self) -> FileSystem {
        const OVERLAY: u64 = 0x794c_7630;
        const BLOCK: u64 = 4096;
        let (total, free) = self.surroundings.memory();
        let (blocks, free) = (total / BLOCK, free / BLOCK);
        // Memory is what bounds the number of files too.
        FileSystem { magic: OVERLAY, block_size: BLOCK, blocks, free, files: blocks, free_files: free }
    }
}
