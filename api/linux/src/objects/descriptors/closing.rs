//! The sets that an open file is in, which it leaves when its last descriptor is closed.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    sync::{Arc, Weak},
};

use sync::Mutex;

use super::description::Description;
use crate::objects::events::epoll::{Epoll, key};

/// The sets, and under which numbers: it leaves them when this is dropped.
#[derive(Default)]
pub struct Closing(Mutex<Option<Box<Sets>>>);

#[derive(Default)]
struct Sets {
    /// By address, which is no other's as long as this refers to it.
    all: BTreeMap<(usize, i32), Weak<Epoll>>,
    /// More of them than this are looked through for those that have gone.
    limit: usize,
}

/// Sets that are never looked through.
const FEW: usize = 8;

impl Closing {
    /// It is in a set under that number.
    pub fn enter(&self, epoll: &Weak<Epoll>, number: i32) {
        let mut sets = self.0.lock();
        let sets = sets.get_or_insert_default();
        if sets.all.len() >= sets.limit {
            sets.all.retain(|_, set| set.strong_count() > 0);
            sets.limit = FEW.max(2 * sets.all.len());
        }
        sets.all.insert((epoll.as_ptr().addr(), number), epoll.clone());
    }

    /// It has left a set.
    pub fn forget(&self, epoll: &Weak<Epoll>, number: i32) {
        if let Some(sets) = &mut *self.0.lock() {
            sets.all.remove(&(epoll.as_ptr().addr(), number));
        }
    }

    /// Shows the addresses of the sets that it is in, each as often as it is.
    pub fn each(&self, show: &mut dyn FnMut(usize)) {
        if let Some(sets) = &*self.0.lock() {
            let there = sets.all.iter().filter(|(_, set)| set.strong_count() > 0);
            there.for_each(|((address, _), _)| show(*address));
        }
    }

    /// `description`, whose sets these are, is closed.
    pub fn leave(&self, description: &Description) {
        let sets = self.0.lock().take();
        for ((_, number), set) in sets.map(|sets| sets.all).unwrap_or_default() {
            // It may have left that set already.
            let _ = set.upgrade().map(|set: Arc<Epoll>| set.leave(key(number, description)));
        }
    }
}
