//! The tree of an image: the boot archive at `/`, or another tree below changes in memory, and in it `/dev`, `/tmp`,
//! `/proc` and `/sys`.
//!
//! [`root`] or [`root_over`] puts it together. Everything that can wait until somebody looks does: `/dev` is filled by the first look
//! into it, `/proc` and `/sys` are constant tables. Nothing here waits; see the element `vfs`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod console;
mod dev;
mod over;
pub mod proc;
mod surroundings;
mod sys;
mod text;

use alloc::{borrow::Cow, sync::Arc};
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Once;
use vfs::{
    FileError, Mounting, Mounts, Node, Owner, Place,
    pipe::Pipe,
    pseudo,
    ramfs::{Ramfs, Unpacked},
};

use surroundings::Machine;

pub use over::root_over;

/// Numbers of the file systems, as stat(2) shows them.
mod device {
    pub const ROOT: u64 = 1;
    pub const PROC: u64 = 2;
    pub const SYS: u64 = 3;
    pub const PIPES: u64 = 4;
    pub const DEVICES: u64 = 5;
    pub const TEMPORARY: u64 = 6;
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

/// Puts the tree together from the boot archive and returns its root. Once, before the first program.
///
/// [`FileError::Failed`] if the archive cannot be read to its end, with a line that says why.
pub fn root(archive: &'static [u8]) -> Result<Arc<dyn Node>, FileError> {
    let (ramfs, Unpacked { refused, error }) = Ramfs::from_archive(device::ROOT, &Machine, archive);
    if let Some(error) = error {
        kernel::error!("the boot archive is damaged: {error}");
        return Err(FileError::Failed);
    }
    if refused > 0 {
        kernel::debug!("{refused} entries of the boot archive have names that cannot be used and are left out");
    }
    let tree = ramfs.root();
    if let Some(devices) = tree.provide(b"dev", 0o755, Some(dev::fill)) {
        DEVICES.call_once(|| devices);
    }
    tree.provide(b"tmp", 0o1777, None);
    let root: Arc<dyn Node> = tree.clone();
    MOUNTS.begin(Mounting { root: root.clone(), kind: "tmpfs", source: Cow::Borrowed(b"tmpfs"), read_only: false });
    mount_tables(&root, &|name| tree.provide(name, 0o555, None).map(|point| point as Arc<dyn Node>))?;
    TREE.call_once(|| ramfs);
    Ok(root)
}

/// Mounts `/proc` and `/sys`, as far as the image has them, over what `point` makes or finds; where it finds what is
/// no directory they are left out.
fn mount_tables(root: &Arc<dyn Node>, point: &dyn Fn(&'static [u8]) -> Option<Arc<dyn Node>>) -> Result<(), FileError> {
    if contracts::config().proc
        && let Some(point) = point(b"proc")
    {
        mount(root, b"proc", point, "proc", pseudo::root(&proc::SYSTEM))?;
    }
    if contracts::config().sys
        && let Some(point) = point(b"sys")
    {
        mount(root, b"sys", point, "sysfs", pseudo::root(&sys::SYSTEM))?;
    }
    Ok(())
}

/// Mounts a file system over `point`, which is called `name` in the root directory.
fn mount(
    root: &Arc<dyn Node>,
    name: &'static [u8],
    point: Arc<dyn Node>,
    kind: &'static str,
    mounted: Arc<dyn Node>,
) -> Result<(), FileError> {
    let place = Place { parent: root.clone(), name: Cow::Borrowed(name), removed: false };
    MOUNTS.mount(place, point, Mounting { root: mounted, kind, source: Cow::Borrowed(name), read_only: false })
}

/// A file in memory without a name (memfd_create(2)). Panics before [`root`].
#[must_use]
pub fn memory_file() -> Arc<dyn Node> {
    TREE.get().expect("the tree is put together first").nameless(0o777, Owner::default())
}

/// Both ends of a new pipe: the one that reads and the one that writes.
#[must_use]
pub fn pipe() -> (Arc<dyn Node>, Arc<dyn Node>) {
    static NEXT: AtomicU64 = AtomicU64::new(console::PIPES + 1);
    let pipe = Pipe::new(NEXT.fetch_add(1, Ordering::Relaxed), Owner::default(), surroundings::now());
    (Arc::new(pipe.open(true, false)), Arc::new(pipe.open(false, true)))
}
