//! A set of descriptors that are watched together: epoll(7).
//!
//! What is in the set is an open file under a descriptor's number. It leaves the set when the last descriptor of the
//! open file is closed ([`crate::objects::descriptors::closing::Closing`]), or by epoll_ctl(2); until then the set
//! keeps the file's node, but not the open file.

pub mod nesting;
pub mod watching;

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::any::Any;

use epoll_sets::{Refused, Set, is_contradictory};
use kernel::task::{self, Waited};
use linux_abi::{Errno, structures::EpollEvent};
use smallvec::SmallVec;
use sync::{WaitQueue, Watcher};
use vfs::{FileError, Node, Readiness};

use crate::objects::{
    descriptors::{Description, Watching},
    files::poll,
};
use watching::{Item, Watched, data, event};

/// The set.
pub struct Epoll {
    itself: Weak<Self>,
    set: Set<Key, Watched, Watcher<dyn Node>>,
}

/// A descriptor's number, and the address of the open file that it means.
pub type Key = (i32, usize);

/// Linux' number for what a set refuses.
const fn errno(refused: Refused) -> Errno {
    match refused {
        Refused::Exists => Errno::EEXIST,
        Refused::NotFound => Errno::ENOENT,
        Refused::Exclusive => Errno::EINVAL,
    }
}

/// Events that are told at once. As many as most ask for need no heap.
pub type Events = SmallVec<[EpollEvent; 64]>;

/// What an open file is known by in a set.
pub fn key(number: i32, description: &Description) -> Key {
    (number, core::ptr::from_ref(description).addr())
}

/// The node as a set, if it is one.
pub fn epoll(node: &dyn Node) -> Option<&Epoll> {
    let node: &dyn Any = node;
    node.downcast_ref()
}

impl Epoll {
    /// An empty set.
    #[must_use]
    pub fn new() -> Arc<Self> {
        Arc::new_cyclic(|itself| Self { itself: itself.clone(), set: Set::default() })
    }

    /// EPOLL_CTL_ADD.
    pub fn add(&self, number: i32, description: &Arc<Description>, event: EpollEvent) -> Result<(), Errno> {
        if is_contradictory(event.events, epoll(&*description.node).is_some()) {
            return Err(Errno::EINVAL);
        }
        let itself = self.itself.upgrade().ok_or(Errno::EBADF)?;
        let item = self.set.item(Watched::new(description));
        nesting::add(&itself, number, description, || self.enter(number, description, &item))?;
        item.arm(event.events, data(event));
        Ok(())
    }

    fn enter(&self, number: i32, description: &Description, item: &Arc<Item>) -> Result<(), Errno> {
        let tell = |waker| Watcher::new(Arc::clone(description.node.counted()), poll::queue, waker);
        self.set.enter(key(number, description), item, tell).map_err(errno)?;
        description.closing.enter(&self.watching(), number);
        Ok(())
    }

    /// EPOLL_CTL_MOD.
    pub fn change(&self, number: i32, description: &Description, event: EpollEvent) -> Result<(), Errno> {
        self.set.change(&key(number, description), event.events, data(event)).map_err(errno)
    }

    /// EPOLL_CTL_DEL.
    pub fn remove(&self, number: i32, description: &Description) -> Result<(), Errno> {
        self.leave(key(number, description))?;
        description.closing.forget(&self.watching(), number);
        Ok(())
    }

    fn watching(&self) -> Weak<dyn Watching> {
        self.itself.clone()
    }

    /// Takes one out.
    fn leave(&self, key: Key) -> Result<(), Errno> {
        let gone = self.set.leave(&key).map_err(errno)?;
        self.has_left(&gone.watched);
        Ok(())
    }

    fn has_left(&self, watched: &Watched) {
        if let Some(inner) = epoll(&*watched.node) {
            nesting::left(self, inner);
        }
    }

    /// Whether the open file is in it under that number.
    pub(super) fn has(&self, number: i32, description: &Description) -> bool {
        self.set.contains(&key(number, description))
    }

    /// Appends the open files in it that are no sets.
    pub(super) fn files(&self, found: &mut Vec<Arc<Description>>) {
        self.set.each(&mut |watched| {
            if epoll(&*watched.node).is_none() {
                found.extend(watched.file.upgrade());
            }
        });
    }

    /// Waits for events and appends at most `most`, by `deadline` in nanoseconds of the monotonic clock.
    #[inline(never)]
    pub fn wait(&self, most: usize, deadline: Option<u64>, found: &mut Events) -> Result<(), Errno> {
        let waited = task::wait_more(Some(self.set.waiters()), deadline, &mut || {
            self.look(most, found);
            !found.is_empty()
        });
        if waited == Waited::Interrupted { Err(Errno::ERESTARTNOHAND) } else { Ok(()) }
    }

    /// Appends at most so many events that have come, without waiting.
    #[inline]
    pub fn look(&self, most: usize, found: &mut Events) {
        self.set.collect(most, |told| found.push(event(told)));
    }
}

impl Watching for Epoll {
    fn closed(&self, number: i32, description: &Description) {
        // It may have left already.
        let _ = self.leave(key(number, description));
    }
}

impl Drop for Epoll {
    fn drop(&mut self) {
        self.set.clear(&mut |watched| self.has_left(watched));
    }
}

impl Node for Epoll {
    nameless_stream!(Still);

    fn read_at(&self, _offset: u64, _sink: &mut dyn vfs::Sink) -> Result<usize, FileError> {
        Err(FileError::Invalid)
    }

    fn readiness(&self) -> Readiness {
        Readiness::READABLE.when(self.set.is_ready())
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(self.set.watchers())
    }
}
