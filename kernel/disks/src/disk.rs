//! The machine's disks.

use alloc::{sync::Arc, vec::Vec};

use blkdev::{Geometry, Store};
use contracts::blkdev::Provided;
use page_cache::{Contents, Stamp};
use sync::{Mutex, Once};
use vfs::Node;

use crate::memory::OF_DISKS;

/// A disk.
pub struct Disk {
    pub store: Arc<Store>,
    pub contents: Arc<Contents>,
    /// The root of the file system on it, once that is mounted.
    pub root: Mutex<Option<Arc<dyn Node>>>,
}

static FOUND: Once<Vec<Disk>> = Once::new();

/// All of them.
pub fn all() -> &'static [Disk] {
    FOUND.call_once(|| (0..contracts::blkdev::count()).filter_map(Disk::open).collect())
}

impl Disk {
    fn open(number: usize) -> Option<Self> {
        let store = Arc::new(Store::new(&Provided, number, contracts::processor::number).ok()?);
        let stamp = Stamp { length: store.geometry().bytes(), ..Stamp::default() };
        let contents = Contents::new(&OF_DISKS, store.clone(), stamp);
        Some(Self { store, contents, root: Mutex::new(None) })
    }

    /// What it is like.
    pub fn geometry(&self) -> Geometry {
        self.store.geometry()
    }
}
