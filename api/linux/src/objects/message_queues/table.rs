//! The queues by their names, and what they count for.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use ipc::post::{Attributes, Post};
use sync::{Mutex, WaitQueue};
use vfs::{Change, Kind, Metadata};

use super::Notice;

/// A queue.
pub struct Named {
    /// What is in it.
    pub post: Mutex<Post<Notice>>,
    /// Those who poll it.
    pub polled: WaitQueue,
    /// Whose it is, its mode and its times.
    pub metadata: Mutex<Metadata>,
    attributes: Attributes,
}

/// Names.
pub static NAMES: Mutex<BTreeMap<Vec<u8>, Arc<Named>>> = Mutex::new(BTreeMap::new());

/// How many queues there are.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Bytes that the queues of each user count for.
static COSTS: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// Bytes that a queue's descriptor says it has (`FILENT_SIZE` of Linux).
const SIZE: u64 = 80;

impl Named {
    /// A new queue of the owner in `metadata`, whose queues may count for `limit` bytes; `None` if they would for more.
    #[must_use]
    pub fn new(attributes: Attributes, metadata: Metadata, limit: u64) -> Option<Arc<Self>> {
        let mut costs = COSTS.lock();
        let cost = costs.entry(metadata.owner.user as usize).or_insert(0);
        let sum = cost.checked_add(attributes.cost() as usize).filter(|&sum| sum as u64 <= limit)?;
        *cost = sum;
        COUNT.fetch_add(1, Ordering::Relaxed);
        let post = Mutex::new(Post::new(attributes));
        let metadata = Mutex::new(Metadata { size: SIZE, ..metadata });
        Some(Arc::new(Self { post, polled: WaitQueue::new(), metadata, attributes }))
    }

    /// How many there are.
    #[must_use]
    pub fn count() -> usize {
        COUNT.load(Ordering::Relaxed)
    }

    /// Changes whose it is or its mode.
    pub fn change(&self, change: &Change) {
        let mut metadata = self.metadata.lock();
        if let Some(mode) = change.mode {
            metadata.mode = mode;
        }
        metadata.owner.user = change.user.unwrap_or(metadata.owner.user);
        metadata.owner.group = change.group.unwrap_or(metadata.owner.group);
        metadata.changed = fs::now();
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        COUNT.fetch_sub(1, Ordering::Relaxed);
        let user = self.metadata.lock().owner.user;
        if let Some(cost) = COSTS.lock().get_mut(&(user as usize)) {
            *cost = cost.saturating_sub(self.attributes.cost() as usize);
        }
    }
}

/// What a new queue of this mode and owner is like.
#[must_use]
pub fn fresh(mode: u32, owner: vfs::Owner) -> Metadata {
    let now = fs::now();
    let inode = fs::next_number();
    Metadata { owner, inode, accessed: now, modified: now, changed: now, ..Metadata::new(Kind::Regular, mode) }
}
