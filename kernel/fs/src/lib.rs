//! The tree of an image: the boot archive at `/`, and in it `/dev`, `/tmp`, `/proc` and `/sys`.
//!
//! [`root`] puts it together. Everything that can wait until somebody looks does: `/dev` is filled by the first look
//! into it, `/proc` and `/sys` are constant tables. Nothing here waits; see the element `vfs`.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod console;
mod dev;
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

/// Numbers of the file systems, as stat(2) shows them.
mod device {
    pub const ROOT: u64 = 1;
    pub const PROC: u64 = 2;
    pub const SYS: u64 = 3;
    pub const PIPES: u64 = 4;
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
    tree.provide(b"dev", 0o755, Some(dev::fill));
    tree.provide(b"tmp", 0o1777, None);
    MOUNTS.begin(Mounting { root: tree.clone(), kind: "tmpfs", source: Cow::Borrowed(b"tmpfs"), read_only: false });
    let mount = |name: &'static [u8], kind, system| {
        let Some(point) = tree.provide(name, 0o555, None) else { return Ok(()) };
        let place = Place { parent: tree.clone(), name: Cow::Borrowed(name), removed: false };
        let source = Cow::Borrowed(name);
        MOUNTS.mount(place, point, Mounting { root: pseudo::root(system), kind, source, read_only: false })
    };
    if contracts::config().proc {
        mount(b"proc", "proc", &proc::SYSTEM)?;
    }
    if contracts::config().sys {
        mount(b"sys", "sysfs", &sys::SYSTEM)?;
    }
    Ok(TREE.call_once(|| ramfs).root().clone())
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
