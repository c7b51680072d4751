//! Files in memory. What comes from the boot archive stays there, in place, until somebody writes to it; then the
//! pages written are copied, and only they.

mod base;
mod bytes;
mod direct;
mod directory;
pub(crate) mod entries;
mod file;
mod from_archive;
mod link;
pub(crate) mod owned;
mod pages;
mod rename;
mod special;

use alloc::{borrow::Cow, sync::Arc};
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Mutex;

use crate::{FileError, FileSystem, Kind, Node, Owner, Time};

use base::Base;
use link::Link;
use special::Special;

pub use directory::{Directory, Filling};
pub use file::File;
pub use from_archive::Unpacked;

/// What the file system asks of the world around it.
pub trait Surroundings: Send + Sync {
    /// The present moment.
    fn now(&self) -> Time;

    /// Whether files may take that many bytes of memory more.
    fn has_room(&self, bytes: usize) -> bool;

    /// Bytes of memory in all, and free ones.
    fn memory(&self) -> (u64, u64);

    /// Where files' pages come from.
    fn pages(&self) -> &'static dyn ::pages::Memory;

    /// Opens a device.
    fn device(&self, kind: Kind, number: (u32, u32)) -> Result<Arc<dyn Node>, FileError>;
}

/// What all nodes of one file system share.
pub(crate) struct Shared {
    surroundings: &'static dyn Surroundings,
    device: u64,
    next_inode: AtomicU64,
    /// Held while directories move or go, so that no two of those changes meet.
    tree: Mutex<()>,
}

/// A file system in memory.
#[derive(Clone)]
pub struct Ramfs {
    shared: Arc<Shared>,
    root: Arc<Directory>,
}

impl Ramfs {
    /// An empty one, whose number is `device` and whose root has `mode`.
    #[must_use]
    pub fn new(device: u64, surroundings: &'static dyn Surroundings, mode: u32) -> Self {
        let shared = Arc::new(Shared { surroundings, device, next_inode: AtomicU64::new(1), tree: Mutex::new(()) });
        let root = Directory::new(Base::new(&shared, mode, Owner::default(), 2));
        Self { shared, root }
    }

    /// Its root directory.
    #[must_use]
    pub const fn root(&self) -> &Arc<Directory> {
        &self.root
    }

    /// A file without a name (memfd_create(2)).
    #[must_use]
    pub fn nameless(&self, mode: u32, owner: Owner) -> Arc<dyn Node> {
        let base = Base::new(&self.shared, mode, owner, 0);
        Contents::File(&[], 0).into_node(base)
    }
}

/// What makes a new node one of its kind.
enum Contents {
    /// These bytes, at this offset of the archive.
    File(&'static [u8], usize),
    Directory,
    Link(Cow<'static, [u8]>),
    Special(Kind, (u32, u32)),
}

impl Contents {
    #[inline(never)]
    fn into_node(self, base: Base) -> Arc<dyn Node> {
        match self {
            Self::File(bytes, offset) => Arc::new(File::archived(base, bytes, offset)),
            Self::Directory => Directory::new(base),
            Self::Link(target) => Arc::new(Link { base, target }),
            Self::Special(kind, number) => Arc::new(Special::new(base, kind, number)),
        }
    }
}

impl Shared {
    fn inode(&self) -> u64 {
        self.next_inode.fetch_add(1, Ordering::Relaxed)
    }

    fn file_system(&self) -> FileSystem {
        const TMPFS: u64 = 0x0102_1994;
        const BLOCK: u64 = 4096;
        let (total, free) = self.surroundings.memory();
        let (blocks, free) = (total / BLOCK, free / BLOCK);
        // Memory is what bounds the number of files too.
        FileSystem { magic: TMPFS, block_size: BLOCK, blocks, free, files: blocks, free_files: free }
    }
}
