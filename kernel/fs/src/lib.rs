//! The tree of an image: the boot archive's files alone ([`ArchiveFiles`]), or the boot archive at `/`, or the host's
//! files with memory above them, and in it `/dev`, `/proc` and `/sys`.
//!
//! [`WholeTree`] puts it together. Everything that can wait until somebody looks does: `/dev` is filled by the first
//! look into it, `/proc` and `/sys` are constant tables. Nothing here waits; see the element `vfs`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod archive_files;
mod clock;
pub mod console;
mod dev;
mod disk;
mod hierarchy;
pub mod jobs;
mod memory_files;
mod names;
mod place;
pub mod proc;
pub mod pseudo_terminals;
mod shared;
mod surroundings;
mod sys;
mod systems;
#[cfg(test)]
mod tests;
mod text;
mod whole;

use alloc::sync::Arc;
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Once;
use vfs::{FileError, Mounts, Node, Owner, Shares, pipe::Pipe, ramfs::Ramfs};

pub use archive_files::ArchiveFiles;
pub use clock::now;
pub use disk::{Disk, NoVolumes};
pub use memory_files::MemoryFiles;
pub use whole::WholeTree;

/// Numbers of the file systems, as stat(2) shows them.
mod device {
    pub const ROOT: u64 = 1;
    pub const PROC: u64 = 2;
    pub const SYS: u64 = 3;
    pub const PIPES: u64 = 4;
    pub const DEVICES: u64 = 5;
    pub const SPACES: u64 = 6;
    pub const CGROUP: u64 = 7;
}

/// The file systems that the tree is made of.
static MOUNTS: Mounts = Mounts::new();

/// The file systems that the tree is made of.
#[must_use]
pub fn mounts() -> &'static Mounts {
    &MOUNTS
}

/// The RAM file system that files without a name are on.
static TREE: Once<Ramfs> = Once::new();

/// `/dev`.
static DEVICES: Once<Arc<dyn Node>> = Once::new();

/// A directory or file of the host's that is to stand in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    /// What the platform calls it.
    pub tag: &'a [u8],
    /// Where it stands; `/` is below everything else.
    pub path: &'a [u8],
    /// Nothing in it changes.
    pub read_only: bool,
}

impl<'a> Share<'a> {
    /// Reads the text of a launch record's field: see `launch::Key::Mount`.
    #[must_use]
    pub fn parse(text: &'a [u8]) -> Option<Self> {
        let mut parts = text.splitn(3, |&byte| byte == b',');
        let read_only = match parts.next()? {
            b"ro" => true,
            b"rw" => false,
            _ => return None,
        };
        Some(Self { tag: parts.next()?, path: parts.next()?, read_only })
    }

    fn is_root(&self) -> bool {
        self.path == b"/"
    }
}

/// Provider of the contract `shares` that has none.
#[derive(Debug, Default)]
pub struct NoShares;

impl NoShares {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl Shares for NoShares {
    fn open(&self, _tag: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NotFound)
    }
}

/// A file in memory without a name (memfd_create(2)), with these permissions. [`FileError::Unsupported`] where no
/// [`WholeTree`] has begun.
pub fn memory_file(mode: u32) -> Result<Arc<dyn Node>, FileError> {
    let tree = TREE.get().ok_or(FileError::Unsupported)?;
    Ok(tree.nameless(mode, Owner::default()))
}

/// Both ends of a new pipe: the one that reads and the one that writes.
#[must_use]
pub fn pipe() -> (Arc<dyn Node>, Arc<dyn Node>) {
    let pipe = Pipe::new(next_number(), Owner::default(), now());
    (Arc::new(pipe.open(true, false)), Arc::new(pipe.open(false, true)))
}

/// The number of the next pipe or socket.
#[must_use]
pub fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(console::PIPES + 1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
