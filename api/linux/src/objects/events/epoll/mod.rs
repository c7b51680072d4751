//! A set of descriptors that are watched together: epoll(7).
//!
//! What is in the set is an open file under a descriptor's number. It leaves the set when the last descriptor of the
//! open file is closed ([`crate::objects::descriptors::closing::Closing`]), or by epoll_ctl(2); until then the set
//! keeps the file's node, but not the open file.

pub mod entries;
pub mod item;
pub mod nesting;

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::{any::Any, task::Waker};

use kernel::task::{self, Waited};
use linux_abi::{
    Errno,
    constants::{EPOLLEXCLUSIVE, EPOLLONESHOT, EPOLLWAKEUP},
    structures::EpollEvent,
};
use sync::{Mutex, WaitQueue, Watcher};
use vfs::{FileError, Kind, Metadata, Node, Readiness, Seeking, sets::Ready};

use super::{METADATA, NOTHING};
use crate::objects::{
    descriptors::{Description, Watching},
    files::poll,
};
use entries::{Entries, Key, Watched, item};
use item::{Item, MODES, REPORTED};

/// The set.
pub struct Epoll {
    itself: Weak<Self>,
    ready: Arc<Ready<Item>>,
    entries: Mutex<Entries>,
}

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
        Arc::new_cyclic(|itself| Self {
            itself: itself.clone(),
            ready: Arc::new(Ready::default()),
            entries: Mutex::new(Entries::new()),
        })
    }

    /// EPOLL_CTL_ADD.
    pub fn add(&self, number: i32, description: &Arc<Description>, event: EpollEvent) -> Result<(), Errno> {
        const EXCLUSIVE: u32 = EPOLLONESHOT | !MODES & !(REPORTED | 5);
        let is_set = epoll(&*description.node).is_some();
        if event.events & EPOLLEXCLUSIVE != 0 && (is_set || event.events & EXCLUSIVE != 0) {
            return Err(Errno::EINVAL);
        }
        let itself = self.itself.upgrade().ok_or(Errno::EBADF)?;
        let item = Item::new(&self.ready, description);
        nesting::add(&itself, number, description, || self.enter(number, description, &item))?;
        item.arm(event.events | REPORTED, event.data);
        Ok(())
    }

    fn enter(&self, number: i32, description: &Description, item: &Arc<Item>) -> Result<(), Errno> {
        let key = key(number, description);
        let mut entries = self.entries.lock();
        if entries.contains_key(&key) {
            return Err(Errno::EEXIST);
        }
        // Watched before it is looked at: what happens in between is seen.
        let waker = Waker::from(Arc::clone(item));
        let watcher = Watcher::new(Arc::clone(&description.node), poll::queue, waker);
        entries.insert(key, Watched::new(Arc::clone(item), watcher));
        drop(entries);
        description.closing.enter(&self.watching(), number);
        Ok(())
    }

    /// EPOLL_CTL_MOD.
    pub fn change(&self, number: i32, description: &Description, event: EpollEvent) -> Result<(), Errno> {
        let item = Arc::clone(item(&self.entries.lock(), key(number, description))?);
        if (item.events() | event.events) & EPOLLEXCLUSIVE != 0 {
            return Err(Errno::EINVAL);
        }
        item.arm(event.events & !EPOLLWAKEUP | REPORTED, event.data);
        Ok(())
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
        // Dropped when the set is no longer locked.
        let gone = self.entries.lock().remove(&key).ok_or(Errno::ENOENT)?;
        gone.item.disarm();
        self.has_left(&gone.item);
        Ok(())
    }

    fn has_left(&self, item: &Item) {
        if let Some(inner) = epoll(&*item.node) {
            nesting::left(self, inner);
        }
    }

    /// Whether the open file is in it under that number.
    pub(super) fn has(&self, number: i32, description: &Description) -> bool {
        self.entries.lock().contains_key(&key(number, description))
    }

    /// Appends the open files in it that are no sets.
    pub(super) fn files(&self, found: &mut Vec<Arc<Description>>) {
        let entries = self.entries.lock();
        let items = entries.values().map(|watched| &watched.item);
        found.extend(items.filter(|item| epoll(&*item.node).is_none()).filter_map(|item| item.file.upgrade()));
    }

    /// epoll_wait(2): at most `most` events, by `deadline` in nanoseconds of the monotonic clock.
    pub fn wait(&self, most: usize, deadline: Option<u64>) -> Result<Vec<EpollEvent>, Errno> {
        let mut found = Vec::new();
        let waited = task::wait_until(Some(&self.ready.waiters), deadline, &mut || {
            found = self.found(most);
            !found.is_empty()
        });
        if waited == Waited::Interrupted { Err(Errno::ERESTARTNOHAND) } else { Ok(found) }
    }

    /// At most so many events that have come, without waiting.
    pub fn found(&self, most: usize) -> Vec<EpollEvent> {
        let mut found = Vec::new();
        self.ready.collect(most, &mut |item, events| found.push(item.tell(events)));
        found
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
        let entries = core::mem::take(&mut *self.entries.lock());
        entries.values().for_each(|watched| self.has_left(&watched.item));
    }
}

impl Node for Epoll {
    fn kind(&self) -> Kind {
        Kind::Event
    }

    fn metadata(&self) -> Metadata {
        METADATA
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn read_at(&self, _offset: u64, _sink: &mut dyn vfs::Sink) -> Result<usize, FileError> {
        Err(FileError::Invalid)
    }

    fn readiness(&self) -> Readiness {
        Readiness { readable: self.ready.is_ready(), ..NOTHING }
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.ready.watchers)
    }
}
