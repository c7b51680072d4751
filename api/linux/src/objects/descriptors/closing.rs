//! The sets that an open file is in, which it leaves when its last descriptor is closed, and what few files have
//! beside.

use alloc::{
    boxed::Box,
    collections::BTreeMap,
    sync::{Arc, Weak},
};
use core::any::Any;

use sync::Mutex;

use super::Description;

/// A set that open files are watched in, or what a file has for itself.
pub trait Watching: Any + Send + Sync {
    /// An open file that is in it under that number is closed.
    fn closed(&self, number: i32, description: &Description);
}

/// The sets, and under which numbers: it leaves them when this is dropped.
#[derive(Default)]
pub struct Closing(Mutex<Option<Box<Sets>>>);

/// See there.
#[derive(Default)]
pub struct Sets {
    /// By address, which is no other's as long as this refers to it.
    all: BTreeMap<(usize, i32), Weak<dyn Watching>>,
    /// More of them than this are looked through for those that have gone.
    limit: usize,
    /// What the file has for itself, under no number.
    own: Option<Arc<dyn Watching>>,
}

/// Sets that are never looked through.
const FEW: usize = 8;

impl Closing {
    /// It is in a set under that number.
    pub fn enter(&self, set: &Weak<dyn Watching>, number: i32) {
        let mut sets = self.0.lock();
        let sets = sets.get_or_insert_default();
        if sets.all.len() >= sets.limit {
            sets.all.retain(|_, set| set.strong_count() > 0);
            sets.limit = FEW.max(2 * sets.all.len());
        }
        sets.all.insert((address(set), number), set.clone());
    }

    /// What it has for itself; made by `make` if it is to be made and has not been.
    pub fn own(&self, make: Option<&mut dyn FnMut() -> Arc<dyn Watching>>) -> Option<Arc<dyn Watching>> {
        let mut sets = self.0.lock();
        if let Some(make) = make {
            return Some(sets.get_or_insert_default().own.get_or_insert_with(make).clone());
        }
        sets.as_ref()?.own.clone()
    }

    /// It has left a set.
    pub fn forget(&self, set: &Weak<dyn Watching>, number: i32) {
        if let Some(sets) = &mut *self.0.lock() {
            sets.all.remove(&(address(set), number));
        }
    }

    /// Shows the addresses of the sets that it is in, each as often as it is.
    pub fn each(&self, show: &mut dyn FnMut(usize)) {
        if let Some(sets) = &*self.0.lock() {
            let there = sets.all.iter().filter(|(_, set)| set.strong_count() > 0);
            there.for_each(|((address, _), _)| show(*address));
        }
    }

    /// Those that `description`, whose sets these were, leaves as it is closed.
    #[inline(always)]
    pub fn take(&mut self) -> Option<Box<Sets>> {
        self.0.get_mut().take()
    }
}

impl Sets {
    /// `description` is closed.
    #[cold]
    pub fn leave(self, description: &Description) {
        for ((_, number), set) in self.all {
            if let Some(set) = set.upgrade() {
                set.closed(number, description);
            }
        }
        if let Some(own) = self.own {
            own.closed(0, description);
        }
    }
}

/// What a set is known by.
fn address(set: &Weak<dyn Watching>) -> usize {
    set.as_ptr().cast::<()>().addr()
}
