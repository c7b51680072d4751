//! Paths that were walked of late, and where they led: what is asked for again and again is found without a walk.
//!
//! An answer counts as long as no entry has been taken away or replaced, and nothing mounted: entries that come cannot
//! change it. So only walks are kept that met directories whose entries go by calls of this machine alone
//! ([`Node::is_settled`]), no link and no `..`, for one who may pass through all directories. Nothing here keeps a node.

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicU64, Ordering};

use sync::Mutex;

use crate::Node;

/// Answers that are kept, a power of two; those whose hashes meet take each other's place.
const PLACES: usize = 64;
/// The longest path of which one is kept.
const LONGEST: usize = 256;

/// How often something was taken away or mounted, since the start.
static CHANGES: AtomicU64 = AtomicU64::new(1);

/// An entry of a settled directory is gone or replaced, or something is mounted.
pub(crate) fn changed() {
    CHANGES.fetch_add(1, Ordering::Release);
}

/// How often that was so: read it before a walk whose answer is to be kept.
pub(crate) fn changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// What a path is asked for from: the root and the start, which stay where they are as long as nothing is taken away.
pub(crate) type From = (usize, usize);

/// Where a path led: the directory that its last part is in, the node, and where the last part begins.
pub(crate) type Led = (Arc<dyn Node>, Arc<dyn Node>, usize);

/// Where a path led.
struct Known {
    from: From,
    path: Vec<u8>,
    /// Of [`changes`].
    version: u64,
    parent: Weak<dyn Node>,
    node: Weak<dyn Node>,
    /// Where the last part begins.
    last: usize,
}

/// A place, and the hash of what asked for it last, with [`changes`] then: what is asked for once before entries go is not
/// worth keeping.
#[derive(Default)]
struct Slot {
    asked: (u64, u64),
    known: Option<Known>,
}

/// The answers. There are no places before the first path.
#[derive(Default)]
pub(crate) struct KnownPaths(Mutex<Vec<Slot>>);

/// Word by word: a path is shorter than a look at each of its bytes is worth.
fn hash(from: From, path: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = path.as_chunks::<8>();
    let step = |hash: u64, word: u64| (hash ^ word).wrapping_mul(SPREAD).rotate_left(29);
    let hash = words.iter().fold(path.len() as u64 ^ from.1 as u64, |hash, word| step(hash, u64::from_le_bytes(*word)));
    let rest = rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte));
    step(hash, rest).wrapping_mul(SPREAD)
}

const fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.ilog2())) as usize
}

impl KnownPaths {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Has `take` take something of where the path led, if that is known.
    #[inline]
    fn find<R>(&self, from: From, path: &[u8], take: impl FnOnce(&Known) -> Option<R>) -> Option<R> {
        let slots = self.0.lock_in_line();
        let known = slots.get(place(hash(from, path)))?.known.as_ref()?;
        if known.version == changes() && known.from == from && known.path == path { take(known) } else { None }
    }

    /// The node that the path led to.
    pub(crate) fn node(&self, from: From, path: &[u8]) -> Option<Arc<dyn Node>> {
        self.find(from, path, |known| known.node.upgrade())
    }

    /// All of where it led.
    pub(crate) fn all(&self, from: From, path: &[u8]) -> Option<Led> {
        self.find(from, path, |known| Some((known.parent.upgrade()?, known.node.upgrade()?, known.last)))
    }

    /// Keeps where a path led if it was asked for of late. `version` is what [`changes`] said before the walk.
    pub(crate) fn keep(
        &self,
        from: From,
        path: &[u8],
        version: u64,
        (parent, node): (&Arc<dyn Node>, &Arc<dyn Node>),
        last: usize,
    ) {
        if path.len() > LONGEST {
            return;
        }
        let hash = hash(from, path);
        let mut slots = self.0.lock();
        if slots.is_empty() {
            slots.resize_with(PLACES, Slot::default);
        }
        let slot = &mut slots[place(hash)];
        if slot.asked != (hash, version) {
            slot.asked = (hash, version);
            return;
        }
        let (parent, node) = (Arc::downgrade(parent), Arc::downgrade(node));
        slot.known = Some(Known { from, path: crate::copied(path), version, parent, node, last });
    }
}
