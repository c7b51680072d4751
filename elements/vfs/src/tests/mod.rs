//! Files, directories and paths, tested together; where it can be, against the host's Linux.

extern crate std;

mod contents;
mod host;
mod known;
mod mappings;
mod mounts;
mod paths;
pub(crate) mod unpack;

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::{boxed::Box, sync::Arc, vec::Vec};

use crate::ramfs::{Ramfs, Surroundings};
use crate::*;

/// A world with a clock that ticks when it is read, and limited memory.
pub(crate) struct World {
    clock: AtomicI64,
    room: AtomicUsize,
}

impl Surroundings for World {
    fn pages(&self) -> &'static dyn pages::Memory {
        &pages::Allocator
    }

    fn now(&self) -> Time {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |room| room.checked_sub(bytes)).is_ok()
    }

    fn memory(&self) -> (u64, u64) {
        (1 << 20, self.room.load(Ordering::Relaxed) as u64)
    }

    fn device(&self, _kind: Kind, _number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}

pub(crate) fn world(room: usize) -> &'static World {
    Box::leak(Box::new(World { clock: AtomicI64::new(1000), room: AtomicUsize::new(room) }))
}

pub(crate) fn empty() -> Ramfs {
    Ramfs::new(1, world(usize::MAX), 0o755)
}

/// A file without a name, for what needs any node.
pub(crate) fn nameless(ramfs: &Ramfs) -> Arc<dyn Node> {
    ramfs.nameless(0o600, Owner::default())
}

/// Runs `test` with root's view from the root of an empty file system.
fn with_view<R>(test: impl FnOnce(&View<'_>) -> R) -> R {
    crate::keep_paths();
    let root: Arc<dyn Node> = empty().root().clone();
    test(&View {
        root: &root,
        start: &root,
        who: &Credentials::default(),
        mounts: &Mounts::new(),
        confined: crate::Confinement::NONE,
    })
}

fn write(node: &Arc<dyn Node>, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
    node.write_at(offset, &mut SliceSource::new(bytes))
}

pub(crate) fn read(node: &Arc<dyn Node>, offset: u64, count: usize) -> Vec<u8> {
    let mut sink = VecSink::new(count);
    let told = node.read_at(offset, &mut sink).unwrap();
    assert_eq!(told, sink.bytes.len());
    sink.bytes
}

const CREATE: OpenRequest = OpenRequest {
    read: true,
    write: true,
    create: Some(0o644),
    exclusive: false,
    truncate: false,
    directory: false,
    no_follow: false,
    path_only: false,
    keep_access_time: false,
};

/// Makes or opens a file.
fn file(view: &View<'_>, path: &str) -> Arc<dyn Node> {
    view.open(path.as_bytes(), &CREATE).map_err(|error| std::format!("{path}: {error:?}")).unwrap().node
}

fn directory(view: &View<'_>, path: &str) -> Arc<dyn Node> {
    view.make(path.as_bytes(), MakeKind::Directory, 0o755).unwrap()
}

fn names(node: &Arc<dyn Node>) -> Vec<Vec<u8>> {
    let mut names = Vec::new();
    node.list(&mut Cursor::default(), &mut |entry| {
        names.push(entry.name.to_vec());
        true
    })
    .unwrap();
    names
}
