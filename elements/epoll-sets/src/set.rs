//! A set: its interest list, which says what is watched, and its ready list.

use alloc::{collections::BTreeMap, sync::Arc};
use core::task::Waker;

use linux_abi::constants::EPOLLEXCLUSIVE;
use sync::{Mutex, WaitQueue};

use crate::{
    Ready,
    item::{Item, Told, Watched},
};

/// Why a set is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is in the set already (EEXIST).
    Exists,
    /// It is not in the set (ENOENT).
    NotFound,
    /// EPOLLEXCLUSIVE cannot be changed (EINVAL).
    Exclusive,
}

/// Files that are watched together. `K` is what one is known by, `W` what is watched, and `P` its place in the queue of
/// that, which it leaves when it is dropped.
pub struct Set<K, W, P> {
    ready: Arc<Ready<Item<W>>>,
    entries: Mutex<BTreeMap<K, Entry<W, P>>>,
}

struct Entry<W, P> {
    item: Arc<Item<W>>,
    _place: P,
}

impl<K, W, P> Default for Set<K, W, P> {
    fn default() -> Self {
        Self { ready: Arc::default(), entries: Mutex::new(BTreeMap::new()) }
    }
}

impl<K: Ord, W: Watched, P> Set<K, W, P> {
    /// An item of this set, which is not in it yet.
    pub fn item(&self, watched: W) -> Arc<Item<W>> {
        Item::new(&self.ready, watched)
    }

    /// Puts an item in, and has `enter` enter the queue of what is watched. It is armed next.
    pub fn enter(&self, key: K, item: &Arc<Item<W>>, enter: impl FnOnce(Waker) -> P) -> Result<(), Refused> {
        let mut entries = self.entries.lock();
        if entries.contains_key(&key) {
            return Err(Refused::Exists);
        }
        // In the queue before it is looked at: what happens in between is seen.
        let place = enter(Waker::from(Arc::clone(item)));
        entries.insert(key, Entry { item: Arc::clone(item), _place: place });
        Ok(())
    }

    /// Says anew what to watch for.
    pub fn change(&self, key: &K, events: u32, data: u64) -> Result<(), Refused> {
        let item = Arc::clone(&self.entries.lock().get(key).ok_or(Refused::NotFound)?.item);
        if (item.events() | events) & EPOLLEXCLUSIVE != 0 {
            return Err(Refused::Exclusive);
        }
        item.arm(events, data);
        Ok(())
    }

    /// Takes one out.
    pub fn leave(&self, key: &K) -> Result<Arc<Item<W>>, Refused> {
        // Its place goes when the set is no longer locked.
        let gone = self.entries.lock().remove(key).ok_or(Refused::NotFound)?;
        gone.item.disarm();
        Ok(gone.item)
    }

    /// Whether it is in the set.
    pub fn contains(&self, key: &K) -> bool {
        self.entries.lock().contains_key(key)
    }

    /// Shows all that is watched, with the set locked.
    pub fn each(&self, see: &mut dyn FnMut(&W)) {
        self.entries.lock().values().for_each(|entry| see(&entry.item.watched));
    }

    /// Empties the set; shows what was watched.
    pub fn clear(&self, see: &mut dyn FnMut(&W)) {
        let entries = core::mem::take(&mut *self.entries.lock());
        entries.values().for_each(|entry| see(&entry.item.watched));
    }

    /// Tells the events of those that are ready, of `most` at most.
    #[inline]
    pub fn collect(&self, most: usize, mut tell: impl FnMut(Told)) {
        self.ready.collect(most, |item, found| {
            let (told, stays) = item.tell(found);
            tell(told);
            stays
        });
    }

    /// How many may be ready.
    pub fn listed(&self) -> usize {
        self.ready.listed()
    }

    /// Whether anything is ready.
    pub fn is_ready(&self) -> bool {
        self.ready.is_ready()
    }

    /// Those who wait for events: one of them is woken for each.
    pub fn waiters(&self) -> &WaitQueue {
        &self.ready.waiters
    }

    /// Those who watch the set itself.
    pub fn watchers(&self) -> &WaitQueue {
        &self.ready.watchers
    }
}
