//! Paths that were walked of late, and where they led: what is asked for again and again is found without a walk.
//!
//! An answer counts as long as no entry has been taken away or replaced, and nothing mounted: entries that come cannot
//! change it. An answer that is a directory counts longer: until a directory or a link is taken away, for walks pass no
//! others. So the way to a directory is not walked again for each file that goes there.
//!
//! Only walks are kept that met directories whose entries go by calls of this machine alone ([`Node::is_settled`]), no
//! link and no `..`, for one who may pass through all directories. Nothing here keeps a node.

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use sync::Mutex;

use crate::{Kind, Node};

/// Answers that are kept, a power of two; those whose hashes meet take each other's place.
const PLACES: usize = 64;
/// The longest path of which one is kept.
const LONGEST: usize = 256;

/// Whether paths are kept at all: an image that never asks for that has nothing of this module.
static KEPT: AtomicBool = AtomicBool::new(false);

/// Has paths be kept from now on.
pub fn keep_paths() {
    KEPT.store(true, Ordering::Relaxed);
}

/// Whether they are.
#[inline(always)]
pub(crate) fn is_kept() -> bool {
    KEPT.load(Ordering::Relaxed)
}

/// How often something was taken away or mounted, since the start.
static CHANGES: AtomicU64 = AtomicU64::new(1);

/// How often what was taken away was an entry that walks pass, a directory or a link, or something was mounted.
static PASSAGES: AtomicU64 = AtomicU64::new(1);

/// An entry of a settled directory is gone or replaced, which walks pass or do not.
pub(crate) fn changed(is_passage: bool) {
    CHANGES.fetch_add(1, Ordering::Release);
    if is_passage {
        PASSAGES.fetch_add(1, Ordering::Release);
    }
}

/// How often entries were taken away: read before a walk whose answer is to be kept.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    changes: u64,
    passages: u64,
}

impl Before {
    pub(crate) fn now() -> Self {
        Self { changes: changes(false), passages: changes(true) }
    }

    const fn of(self, is_directory: bool) -> u64 {
        if is_directory { self.passages } else { self.changes }
    }
}

/// What must not have changed for an answer to count.
fn changes(is_directory: bool) -> u64 {
    if is_directory { PASSAGES.load(Ordering::Acquire) } else { CHANGES.load(Ordering::Acquire) }
}

/// What a path is asked for from: the root and the start, which stay where they are as long as nothing is taken away.
pub(crate) type From = (usize, usize);

/// Where a path led: the directory that its last part is in, the node, and where the last part begins.
pub(crate) type Led = (Arc<dyn Node>, Arc<dyn Node>, usize);

/// Where a path led.
struct Known {
    from: From,
    path: Vec<u8>,
    is_directory: bool,
    /// Of [`changes`].
    version: u64,
    /// Not known where the path is only the beginning of one that was walked.
    parent: Option<Weak<dyn Node>>,
    node: Weak<dyn Node>,
    /// Where the last part begins.
    last: usize,
}

/// A place, and the hash of what asked for it last, with [`changes`] then: what is asked for once before entries go is
/// not worth keeping.
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
    // What is hashed twice tells as much.
    let rest = match path.last_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => rest.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    step(hash, rest).wrapping_mul(SPREAD)
}

/// Whether both paths are the same, word by word too: a call that compares memory takes longer.
#[inline(always)]
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let ((words, _), (others, _)) = (one.as_chunks::<8>(), other.as_chunks::<8>());
    one.len() == other.len()
        && words.iter().zip(others).all(|(word, other)| word == other)
        && match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
            (Some(last), Some(other)) => last == other,
            _ => one == other,
        }
}

const fn place(hash: u64) -> usize {
    (hash >> (u64::BITS - PLACES.ilog2())) as usize
}

impl KnownPaths {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// What is known of the path, if that counts.
    #[inline(always)]
    fn find<'a>(slots: &'a [Slot], from: From, path: &[u8]) -> Option<&'a Known> {
        let known = slots.get(place(hash(from, path)))?.known.as_ref()?;
        let counts = known.version == changes(known.is_directory) && known.from == from && is_same(&known.path, path);
        if counts { Some(known) } else { None }
    }

    /// The node that the path led to.
    #[inline]
    pub(crate) fn node(&self, from: From, path: &[u8]) -> Option<Arc<dyn Node>> {
        Self::find(&self.0.lock_in_line(), from, path)?.node.upgrade()
    }

    /// The same, where a walk is to go on from there.
    // Apart, so that the other stays in line where it is all that is done.
    #[inline(never)]
    pub(crate) fn beginning(&self, from: From, path: &[u8]) -> Option<Arc<dyn Node>> {
        self.node(from, path)
    }

    /// All of where it led.
    #[inline]
    pub(crate) fn all(&self, from: From, path: &[u8]) -> Option<Led> {
        let (parent, node, last) = {
            let slots = self.0.lock_in_line();
            let known = Self::find(&slots, from, path)?;
            (known.parent.as_ref()?.upgrade(), known.node.upgrade(), known.last)
        };
        Some((parent?, node?, last))
    }

    /// Keeps where a path led if it was asked for of late: the directory that its last part is in, if that is known,
    /// and the node.
    pub(crate) fn keep(
        &self,
        from: From,
        path: &[u8],
        before: Before,
        (parent, node): (Option<&Arc<dyn Node>>, &Arc<dyn Node>),
        last: usize,
    ) {
        if path.len() > LONGEST {
            return;
        }
        let hash = hash(from, path);
        let is_directory = node.kind() == Kind::Directory;
        let version = before.of(is_directory);
        let mut slots = self.0.lock();
        if slots.is_empty() {
            slots.resize_with(PLACES, Slot::default);
        }
        let slot = &mut slots[place(hash)];
        if slot.asked != (hash, version) {
            slot.asked = (hash, version);
            return;
        }
        let (parent, node) = (parent.map(Arc::downgrade), Arc::downgrade(node));
        slot.known = Some(Known { from, path: crate::copied(path), is_directory, version, parent, node, last });
    }
}
