//! Which file system stands where in the tree.
//!
//! A mount covers a node, the point, with the root of a file system. The walk asks of each node that it reaches
//! whether it is a point, and `..` asks whether a node is such a root; both are one test of a word unless they most
//! likely are. A point is known by being that very node, so only nodes that a look-up finds again while somebody holds
//! them can be points, and the table holds them.
//!
//! A file system is mounted once, and its mount's flags hold for all of it. Mounts stay for ever.

use alloc::{borrow::Cow, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sync::Mutex;

use crate::{
    FileError, Kind, Node, Place,
    known::{self, KnownPaths},
    same,
};

/// A file system to be mounted.
#[derive(Clone)]
pub struct Mounting {
    /// Its root, or a file.
    pub root: Arc<dyn Node>,
    /// What Linux calls its kind (`tmpfs`).
    pub kind: &'static str,
    /// What it shows, as `/proc/mounts` has it.
    pub source: Cow<'static, [u8]>,
    /// Every change is [`FileError::ReadOnly`].
    pub read_only: bool,
}

/// A mounted file system.
#[derive(Clone)]
pub struct Mount {
    /// Which one.
    pub mounted: Mounting,
    /// Where, and what it covers there; the tree's root stands nowhere.
    at: Option<(Place, Arc<dyn Node>)>,
}

/// The mounts of one tree.
#[derive(Default)]
pub struct Mounts {
    /// One bit each for points and roots, chosen by address: a node without its bit is neither.
    marks: AtomicU64,
    has_read_only: AtomicBool,
    /// In the order in which they were made.
    mounts: Mutex<Vec<Mount>>,
    /// Where paths have led in the tree that they make.
    pub(crate) known: KnownPaths,
}

/// The bit of a node.
fn mark(node: &Arc<dyn Node>) -> u64 {
    // Multiplied by 2^64 divided by the golden ratio, addresses spread over all bits.
    let spread = (Arc::as_ptr(node).addr() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    1 << (spread >> 58)
}

impl Mounts {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            marks: AtomicU64::new(0),
            has_read_only: AtomicBool::new(false),
            mounts: Mutex::new(Vec::new()),
            known: KnownPaths::new(),
        }
    }

    /// Says what the tree's root is. First of all.
    pub fn begin(&self, mounted: Mounting) {
        self.add(Mount { mounted, at: None });
    }

    /// Covers `point`, which stands at `place`. [`FileError::NotDirectory`] unless both are directories or neither is,
    /// [`FileError::Busy`] for what is mounted already.
    pub fn mount(&self, place: Place, point: Arc<dyn Node>, mounted: Mounting) -> Result<(), FileError> {
        if (point.kind() == Kind::Directory) != (mounted.root.kind() == Kind::Directory) {
            return Err(FileError::NotDirectory);
        }
        if self.is_root(&mounted.root) {
            return Err(FileError::Busy);
        }
        self.add(Mount { mounted, at: Some((place, point)) });
        Ok(())
    }

    fn add(&self, mount: Mount) {
        let point = mount.at.as_ref().map_or(0, |(_, point)| mark(point));
        let marks = mark(&mount.mounted.root) | point;
        let read_only = mount.mounted.read_only;
        self.mounts.lock().push(mount);
        // After the entry: whoever sees a mark finds it.
        self.marks.fetch_or(marks, Ordering::Release);
        self.has_read_only.fetch_or(read_only, Ordering::Release);
        known::changed(true);
    }

    /// Whether nothing is mounted: one file system is all there is.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.marks.load(Ordering::Acquire) == 0
    }

    fn is_marked(&self, node: &Arc<dyn Node>) -> bool {
        self.marks.load(Ordering::Acquire) & mark(node) != 0
    }

    /// What the look-up of `name` in `parent`, which found `node`, leads to.
    #[inline]
    pub(crate) fn enter(&self, parent: &Arc<dyn Node>, name: &[u8], node: Arc<dyn Node>) -> Arc<dyn Node> {
        if self.is_marked(&node) { self.enter_marked(parent, name, node) } else { node }
    }

    #[cold]
    fn enter_marked(&self, parent: &Arc<dyn Node>, name: &[u8], node: Arc<dyn Node>) -> Arc<dyn Node> {
        let mut node = node;
        // A root may be covered in its turn, by a later mount.
        for mount in &*self.mounts.lock() {
            if let Some((place, point)) = &mount.at
                && same(point, &node)
                // A file may have names elsewhere, which the mount does not cover.
                && (node.kind() == Kind::Directory || same(&place.parent, parent) && *place.name == *name)
            {
                node = mount.mounted.root.clone();
            }
        }
        node
    }

    /// Whether `node` covers another one, or is the tree's root.
    #[must_use]
    pub fn is_root(&self, node: &Arc<dyn Node>) -> bool {
        self.is_marked(node) && self.mounts.lock().iter().any(|mount| same(&mount.mounted.root, node))
    }

    /// Where a directory stands in the whole tree; `None` for the tree's root, and in file systems that are not
    /// mounted for theirs.
    #[must_use]
    pub fn place(&self, directory: &Arc<dyn Node>) -> Option<Place> {
        if self.is_marked(directory)
            && let Some(mount) = self.mounts.lock().iter().find(|mount| same(&mount.mounted.root, directory))
        {
            return mount.at.as_ref().map(|(place, _)| place.clone());
        }
        directory.place()
    }

    /// The absolute path of a directory, seen from `root`; `None` if it has been removed or lies outside.
    #[must_use]
    pub fn path_of(&self, directory: &Arc<dyn Node>, root: &Arc<dyn Node>) -> Option<Vec<u8>> {
        let mut path = Vec::new();
        let mut at = directory.clone();
        // From its end to its beginning, and turned round at last.
        while !same(&at, root) {
            let place = self.place(&at).filter(|place| !place.removed)?;
            path.extend(place.name.iter().rev());
            path.push(b'/');
            at = place.parent;
        }
        if path.is_empty() {
            path.push(b'/');
        }
        path.reverse();
        Some(path)
    }

    /// [`FileError::ReadOnly`] if `node` is of a file system that is mounted so.
    pub fn check_change(&self, node: &dyn Node) -> Result<(), FileError> {
        if self.has_read_only.load(Ordering::Acquire) { self.check_system(node.system()) } else { Ok(()) }
    }

    #[cold]
    fn check_system(&self, system: usize) -> Result<(), FileError> {
        let is = |mount: &Mount| mount.mounted.read_only && mount.mounted.root.system() == system;
        if self.mounts.lock().iter().any(is) { Err(FileError::ReadOnly) } else { Ok(()) }
    }

    /// All mounts, in the order in which they were made.
    #[must_use]
    pub fn all(&self) -> Vec<Mount> {
        self.mounts.lock().clone()
    }
}

impl Mount {
    /// The path that it stands at, seen from the tree's root; `None` if that has been removed.
    #[must_use]
    pub fn path(&self, mounts: &Mounts, root: &Arc<dyn Node>) -> Option<Vec<u8>> {
        let Some((place, _)) = &self.at else { return Some(b"/".to_vec()) };
        let mut path = mounts.path_of(&place.parent, root)?;
        if path != b"/" {
            path.push(b'/');
        }
        path.extend_from_slice(&place.name);
        Some(path)
    }

    /// The directory that the point stands in; `None` for the tree's root.
    #[must_use]
    pub fn parent(&self) -> Option<&Arc<dyn Node>> {
        self.at.as_ref().map(|(place, _)| &place.parent)
    }
}
