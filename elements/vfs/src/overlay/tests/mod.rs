//! Overlays, on trees that behave as badly as those of servers may.

extern crate std;

mod below;
mod deep;
mod model;
mod races;
mod special;

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::{boxed::Box, sync::Arc, vec::Vec};

use below::Below;

use crate::ramfs::{Ramfs, Surroundings};
use crate::*;

/// A world whose clock stands still until it is told to go on, and whose memory counts.
struct World {
    clock: AtomicI64,
    used: AtomicUsize,
}

impl Surroundings for World {
    fn pages(&self) -> &'static dyn pages::Memory {
        &pages::Allocator
    }

    fn now(&self) -> Time {
        self.clock.load(Ordering::Relaxed)
    }

    fn has_room(&self, bytes: usize) -> bool {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        true
    }

    fn memory(&self) -> (u64, u64) {
        (1 << 20, 1 << 19)
    }

    fn device(&self, _kind: Kind, _number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}

fn world() -> &'static World {
    Box::leak(Box::new(World { clock: AtomicI64::new(1000), used: AtomicUsize::new(0) }))
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

/// Runs `test` with root's view of the tree at `root`.
fn with_view<R>(root: &Arc<dyn Node>, test: impl FnOnce(&View<'_>) -> R) -> R {
    test(&View {
        root,
        start: root,
        who: &Credentials::default(),
        mounts: &Mounts::new(),
        confined: crate::Confinement::NONE,
    })
}

fn write(node: &Arc<dyn Node>, offset: u64, bytes: &[u8]) -> Result<usize, FileError> {
    node.write_at(offset, &mut SliceSource::new(bytes))
}

fn read(node: &Arc<dyn Node>, offset: u64, count: usize) -> Vec<u8> {
    let mut sink = VecSink::new(count);
    let told = node.read_at(offset, &mut sink).unwrap();
    assert_eq!(told, sink.bytes.len());
    sink.bytes
}

/// The entries of a directory, listed a few at a time, in the order of their names.
fn listed(node: &Arc<dyn Node>, at_a_time: usize) -> Vec<(Vec<u8>, u64, Kind)> {
    let mut entries = Vec::new();
    let mut cursor = Cursor::default();
    loop {
        let before = entries.len();
        let visit = &mut |entry: Listed<'_>| {
            let takes = entries.len() < before + at_a_time;
            if takes {
                entries.push((entry.name.to_vec(), entry.inode, entry.kind));
            }
            takes
        };
        node.list(&mut cursor, visit).unwrap();
        if entries.len() == before {
            break;
        }
    }
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    let count = entries.len();
    entries.dedup_by(|one, other| one.0 == other.0);
    assert_eq!(entries.len(), count, "something was listed twice");
    entries
}

fn names(node: &Arc<dyn Node>) -> Vec<Vec<u8>> {
    listed(node, 100).into_iter().map(|(name, ..)| name).collect()
}

/// What all trees of these tests begin with: directories, files of several lengths, links, a file of two names.
fn plant(view: &View<'_>) {
    for path in ["/a", "/a/b", "/a/b/c", "/b", "/b/full", "/empty"] {
        view.make(path.as_bytes(), MakeKind::Directory, 0o755).unwrap();
    }
    for (index, path) in ["/f", "/a/f", "/a/b/f", "/b/full/f", "/b/full/g"].into_iter().enumerate() {
        let file = view.open(path.as_bytes(), &CREATE).unwrap().node;
        let bytes: Vec<u8> = (0..index * 5000 + 10).map(|at| (at % 251) as u8 + 1).collect();
        write(&file, 0, &bytes).unwrap();
    }
    view.make(b"/a/link", MakeKind::Link(b"b/f"), 0o777).unwrap();
    view.make(b"/pipe", MakeKind::Special(Kind::Pipe, (0, 0)), 0o600).unwrap();
    let linked = view.open(b"/a/one", &CREATE).unwrap().node;
    write(&linked, 0, b"linked").unwrap();
    view.link(&linked, b"/b/two").unwrap();
}

/// An overlay over such a tree, and the tree.
fn planted(world: &'static World) -> (Arc<dyn Node>, Arc<Below>, Arc<dyn Node>) {
    let ramfs = Ramfs::new(7, world, 0o755);
    let pristine: Arc<dyn Node> = ramfs.root().clone();
    with_view(&pristine, plant);
    let below = Below::root(pristine.clone());
    let root = overlay::root(below.clone(), 9, world, 3);
    (root, below, pristine)
}
