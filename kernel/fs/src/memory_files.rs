//! Files in memory, for native programs: their pages come from the image's heap.

use alloc::sync::Arc;

use sync::Once;
use vfs::{
    FileError, Kind, Mounts, Node, NodeReference, Time, Tree,
    ramfs::{Ramfs, Surroundings},
};

use crate::{clock::now, device};

/// Provider of the contract `filesystem`: one file system in memory, with an empty `/tmp`.
#[derive(Debug, Default)]
pub struct MemoryFiles;

impl MemoryFiles {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

static ROOT: Once<NodeReference> = Once::new();
static MOUNTS: Mounts = Mounts::new();

#[cold]
fn make() -> NodeReference {
    let root = Ramfs::new(device::ROOT, &Heap, 0o755).root().clone();
    root.provide(b"tmp", 0o1777, None);
    root
}

impl Tree for MemoryFiles {
    fn root(&self) -> &'static NodeReference {
        ROOT.call_once(make)
    }

    fn mounts(&self) -> &'static Mounts {
        &MOUNTS
    }
}

/// What files ask of an image without page tables: the heap says when there is no more.
struct Heap;

impl Surroundings for Heap {
    fn now(&self) -> Time {
        now()
    }

    fn has_room(&self, _bytes: usize) -> bool {
        true
    }

    fn memory(&self) -> (u64, u64) {
        (0, 0)
    }

    fn pages(&self) -> &'static dyn pages::Memory {
        &pages::Allocator
    }

    fn device(&self, _kind: Kind, _number: (u32, u32)) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NoDevice)
    }
}
