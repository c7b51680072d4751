//! Who is told of what happens to files (inotify(7)): which nodes are watched, by whom, and for what.
//!
//! The tree tells nobody by itself: whoever opens, reads, writes and changes files for programs says what has happened,
//! after asking [`Watches::is_empty`], which is one load. A watch keeps its node, so that a number is not another
//! node's meanwhile, until the node has lost its last name; it then goes with the last who has the file open.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod event;
mod watcher;

#[cfg(test)]
mod tests;

pub use event::{
    ACCESS, ALL, ASKED, ATTRIBUTES, CLOSED_READ, CLOSED_WRITTEN, CREATED, DELETED, DELETED_SELF, DIRECTORY, Event,
    FORGOTTEN, IS_DIRECTORY, MODIFIED, MOVED_FROM, MOVED_SELF, MOVED_TO, NOT_UNLINKED, ONCE, OPENED, OVERFLOW,
};
pub use watcher::{Existing, Watcher};

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use sync::Mutex;

use vfs::{FileError, Identity, Node};

/// Watchers that a machine can have (`/proc/sys/fs/inotify/max_user_instances`).
pub const MOST_WATCHERS: usize = 128;
/// Watches that all of them can have (`max_user_watches`).
pub const MOST_WATCHES: usize = 65_536;
/// Events that wait to be read by one of them (`max_queued_events`).
pub const MOST_EVENTS: usize = 16_384;

/// Nodes without names that are looked at for each event, so that all looking together takes time by the events.
const EACH: usize = 16;

/// All watchers of a machine.
#[derive(Default)]
pub struct Watches {
    /// Watches of all watchers.
    count: AtomicUsize,
    /// Those among them whose node has no name any more.
    leaving: AtomicUsize,
    /// Looks at them that have been saved up.
    saved: AtomicUsize,
    /// Looks made, for the tests.
    #[cfg(test)]
    looks: AtomicUsize,
    /// Some watch has, or had, [`NOT_UNLINKED`].
    asks_unlinked: AtomicBool,
    cookie: AtomicU32,
    watchers: Mutex<Vec<Weak<Watcher>>>,
}

/// Something that has happened.
#[derive(Clone, Copy)]
pub struct Told<'a> {
    /// To the node that is this.
    pub to: Identity,
    /// To the entry of that name in it; to the node itself without.
    pub name: Option<&'a [u8]>,
    /// What: one event, and [`IS_DIRECTORY`].
    pub events: u32,
    /// What both halves of a move have in common.
    pub cookie: u32,
    /// It came about by a name that is gone.
    pub unlinked: bool,
}

impl Watches {
    /// Nobody watches.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            count: AtomicUsize::new(0),
            leaving: AtomicUsize::new(0),
            saved: AtomicUsize::new(0),
            #[cfg(test)]
            looks: AtomicUsize::new(0),
            asks_unlinked: AtomicBool::new(false),
            cookie: AtomicU32::new(0),
            watchers: Mutex::new(Vec::new()),
        }
    }

    /// Whether nothing is watched.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// Whether somebody wants to know which names are gone ([`Told::unlinked`]).
    #[must_use]
    pub fn asks_unlinked(&self) -> bool {
        self.asks_unlinked.load(Ordering::Relaxed)
    }

    /// The next number for [`Told::cookie`]; never 0.
    #[must_use]
    pub fn next_cookie(&self) -> u32 {
        self.cookie.fetch_add(1, Ordering::Relaxed).wrapping_add(1).max(1)
    }

    /// A new watcher. [`FileError::TooManyFiles`] if there are [`MOST_WATCHERS`].
    pub fn watcher(&'static self) -> Result<Arc<Watcher>, FileError> {
        let mut watchers = self.watchers.lock();
        watchers.retain(|watcher| watcher.strong_count() > 0);
        if watchers.len() >= MOST_WATCHERS {
            return Err(FileError::TooManyFiles);
        }
        let watcher = Arc::new(Watcher::new(self));
        watchers.push(Arc::downgrade(&watcher));
        Ok(watcher)
    }

    fn each(&self, act: &mut dyn FnMut(&Watcher)) {
        // Theirs are locks of their own, and the last of one may be here.
        let watchers: Vec<_> = self.watchers.lock().iter().filter_map(Weak::upgrade).collect();
        watchers.iter().for_each(|watcher| act(watcher));
    }

    /// Something has happened. To be told when no lock is held.
    pub fn tell(&self, told: &Told<'_>) {
        self.each(&mut |watcher| watcher.hear(told));
        self.sweep();
    }

    /// A node has lost its last name: who watches it is told when nobody else holds it any more.
    pub fn part_with(&self, node: Arc<dyn Node>) {
        let identity = node.identity();
        self.each(&mut |watcher| watcher.part_with(&node, identity));
        drop(node);
        self.sweep();
    }

    /// Looks which nodes without names have gone: at all, but at more than [`EACH`] the less often.
    pub fn sweep(&self) {
        let leaving = self.leaving.load(Ordering::Relaxed);
        if leaving > 0 && self.saved.fetch_add(EACH, Ordering::Relaxed) + EACH >= leaving {
            self.saved.store(0, Ordering::Relaxed);
            self.sweep_some(None);
        }
    }

    /// Looks whether this node has gone, if it has no name.
    pub fn sweep_one(&self, of: Identity) {
        if self.leaving.load(Ordering::Relaxed) > 0 {
            self.sweep_some(Some(of));
        }
    }

    fn sweep_some(&self, of: Option<Identity>) {
        self.each(&mut |watcher| {
            let _looks = watcher.sweep(of);
            #[cfg(test)]
            self.looks.fetch_add(_looks, Ordering::Relaxed);
        });
    }
}
