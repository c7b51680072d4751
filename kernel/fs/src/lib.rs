//! The tree of an image: the boot archive at `/`, or the host's files with memory above them, and in it `/dev`, `/proc`
//! and `/sys`.
//!
//! [`root`] puts it together. Everything that can wait until somebody looks does: `/dev` is filled by the first look
//! into it, `/proc` and `/sys` are constant tables. Nothing here waits; see the element `vfs`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod console;
mod dev;
mod disk;
mod memory_files;
pub mod proc;
mod shared;
mod surroundings;
mod sys;
mod text;

use alloc::{borrow::Cow, sync::Arc};
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Once;
use vfs::{
    FileError, Mounting, Mounts, Node, Owner, Place, Shares,
    pipe::Pipe,
    pseudo,
    ramfs::{Ramfs, Unpacked},
};

pub use disk::{Disk, NoVolumes};
pub use memory_files::MemoryFiles;
use surroundings::Machine;

/// Numbers of the file systems, as stat(2) shows them.
mod device {
    pub const ROOT: u64 = 1;
    pub const PROC: u64 = 2;
    pub const SYS: u64 = 3;
    pub const PIPES: u64 = 4;
    pub const DEVICES: u64 = 5;
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

/// Puts the tree together from the boot archive, what the host shares, and file systems on disks, and returns its root.
/// Once, before the first program.
///
/// [`FileError::Failed`] if the archive cannot be read to its end, or a share not be found, or a disk not be read, with
/// a line that says why.
pub fn root<'a>(
    archive: &'static [u8],
    shares: &mut dyn Iterator<Item = Share<'a>>,
    disks: &mut dyn Iterator<Item = Disk<'a>>,
    owner: Owner,
) -> Result<Arc<dyn Node>, FileError> {
    let (ramfs, Unpacked { refused, error }) = Ramfs::from_archive(device::ROOT, &Machine, archive);
    if let Some(error) = error {
        kernel::error!("the boot archive is damaged: {error}");
        return Err(FileError::Failed);
    }
    if refused > 0 {
        kernel::debug!("{refused} entries of the boot archive have names that cannot be used and are left out");
    }
    let mut shares = shares.peekable();
    let mut disks = disks.enumerate().peekable();
    let root = match (shares.next_if(Share::is_root), disks.next_if(|(_, disk)| disk.is_root())) {
        (Some(share), _) => shared::root(shared::open(&share)?)?,
        (None, Some((number, disk))) => shared::root(disk.mount(number, owner)?.root)?,
        (None, None) => alone(&ramfs)?,
    };
    shares.try_for_each(|share| shared::mount(&root, &share))?;
    disks.try_for_each(|(number, disk)| disk.stand_in(&root, number, owner))?;
    TREE.call_once(|| ramfs);
    Ok(root)
}

/// The tree of a program that is alone with what the archive brings.
fn alone(ramfs: &Ramfs) -> Result<Arc<dyn Node>, FileError> {
    let tree = ramfs.root();
    if let Some(devices) = tree.provide(b"dev", 0o755, Some(dev::fill)) {
        DEVICES.call_once(|| devices);
    }
    tree.provide(b"tmp", 0o1777, None);
    MOUNTS.begin(Mounting { root: tree.clone(), kind: "tmpfs", source: Cow::Borrowed(b"tmpfs"), read_only: false });
    for (name, kind, system) in systems() {
        let Some(point) = tree.provide(name, 0o555, None) else { continue };
        let place = Place { parent: tree.clone(), name: Cow::Borrowed(name), removed: false };
        let source = Cow::Borrowed(kind.as_bytes());
        MOUNTS.mount(place, point, Mounting { root: pseudo::root(system), kind, source, read_only: false })?;
    }
    Ok(tree.clone())
}

type Name = &'static [u8];

/// The file systems of texts that this image has: names, kinds, and what they show.
fn systems() -> impl Iterator<Item = (Name, &'static str, &'static pseudo::System)> {
    let config = contracts::config();
    let proc = config.proc.then_some((&b"proc"[..], "proc", &proc::SYSTEM));
    let sys = config.sys.then_some((&b"sys"[..], "sysfs", &sys::SYSTEM));
    proc.into_iter().chain(sys)
}

/// A file in memory without a name (memfd_create(2)), with these permissions. Panics before [`root`].
#[must_use]
pub fn memory_file(mode: u32) -> Arc<dyn Node> {
    TREE.get().expect("the tree is put together first").nameless(mode, Owner::default())
}

/// Both ends of a new pipe: the one that reads and the one that writes.
#[must_use]
pub fn pipe() -> (Arc<dyn Node>, Arc<dyn Node>) {
    let pipe = Pipe::new(next_number(), Owner::default(), surroundings::now());
    (Arc::new(pipe.open(true, false)), Arc::new(pipe.open(false, true)))
}

/// The number of the next pipe or socket.
#[must_use]
pub fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(console::PIPES + 1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The present moment, as files have it.
#[must_use]
pub fn now() -> vfs::Time {
    surroundings::now()
}
