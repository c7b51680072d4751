//! A set of descriptors that are watched together: epoll(7).
//!
//! What is in the set is an open file under a descriptor's number. It leaves the set when the last descriptor of the open
//! file is closed ([`Closing`]), or by epoll_ctl(2); until then the set keeps the file's node, but not the open file.

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
use vfs::{FileError, Kind, Metadata, Node, Readiness, Seeking};

use super::{
    METADATA, NOTHING,
    entries::{Entries, Key, Watched},
    item::{Item, MODES, REPORTED, Ready},
};
use crate::files::{Description, poll};

/// The set.
pub struct Epoll {
    itself: Weak<Self>,
    ready: Arc<Ready>,
    entries: Mutex<Entries>,
}

/// The sets that an open file is in, and under which number: it leaves them when this is dropped.
#[derive(Default)]
pub struct Closing(Mutex<Vec<(Weak<Epoll>, i32)>>);

/// Sets within sets (EP_MAX_NESTS).
const DEEPEST: usize = 4;

fn address(description: &Description) -> usize {
    core::ptr::from_ref(description) as usize
}

fn key(number: i32, description: &Description) -> Key {
    (number, address(description))
}

fn epoll(node: &dyn Node) -> Option<&Epoll> {
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
            entries: Mutex::new(Entries::default()),
        })
    }

    /// EPOLL_CTL_ADD.
    pub fn add(&self, number: i32, description: &Description, event: EpollEvent) -> Result<(), Errno> {
        const EXCLUSIVE: u32 = EPOLLONESHOT | !MODES & !(REPORTED | 5);
        let inner = epoll(&*description.node);
        if event.events & EPOLLEXCLUSIVE != 0 && (inner.is_some() || event.events & EXCLUSIVE != 0) {
            return Err(Errno::EINVAL);
        }
        if inner.is_some_and(|inner| inner.reaches(self, DEEPEST)) {
            return Err(Errno::ELOOP);
        }
        let key = key(number, description);
        let item = Item::new(&self.ready, &description.node);
        {
            let mut entries = self.entries.lock();
            if entries.item(key).is_ok() {
                return Err(Errno::EEXIST);
            }
            // Watched before it is looked at: what happens in between is seen.
            let waker = Waker::from(Arc::clone(&item));
            let watcher = Watcher::new(Arc::clone(&description.node), poll::queue, waker);
            entries.insert(key, Watched::new(Arc::clone(&item), watcher));
        }
        description.closing.enter(&self.itself, number);
        item.arm(event.events | REPORTED, event.data);
        Ok(())
    }

    /// EPOLL_CTL_MOD.
    pub fn change(&self, number: i32, description: &Description, event: EpollEvent) -> Result<(), Errno> {
        let item = Arc::clone(self.entries.lock().item(key(number, description))?);
        if (item.events() | event.events) & EPOLLEXCLUSIVE != 0 {
            return Err(Errno::EINVAL);
        }
        item.arm(event.events & !EPOLLWAKEUP | REPORTED, event.data);
        Ok(())
    }

    /// EPOLL_CTL_DEL.
    pub fn remove(&self, number: i32, description: &Description) -> Result<(), Errno> {
        self.forget(key(number, description))
    }

    /// Takes one out.
    fn forget(&self, key: Key) -> Result<(), Errno> {
        // Dropped when the set is no longer locked.
        let gone = self.entries.lock().take(key)?;
        gone.item.disarm();
        Ok(())
    }

    /// Whether `other` is in this set, or in one of its sets; sets too deep within others count as well.
    fn reaches(&self, other: &Self, left: usize) -> bool {
        let inner: Vec<Arc<dyn Node>> = {
            let entries = self.entries.lock();
            let nodes = entries.items().map(|item| &item.node);
            nodes.filter(|node| epoll(&***node).is_some()).cloned().collect()
        };
        core::ptr::eq(self, other)
            || left == 0
            || inner.iter().filter_map(|node| epoll(&**node)).any(|inner| inner.reaches(other, left - 1))
    }

    /// epoll_wait(2): at most `most` events, by `deadline` in nanoseconds of the monotonic clock.
    pub fn wait(&self, most: usize, deadline: Option<u64>) -> Result<Vec<EpollEvent>, Errno> {
        let mut found = Vec::new();
        let waited = task::wait_until(Some(&self.ready.waiters), deadline, &mut || {
            found = self.ready.collect(most);
            !found.is_empty()
        });
        if waited == Waited::Interrupted { Err(Errno::ERESTARTNOHAND) } else { Ok(found) }
    }
}

impl Closing {
    fn enter(&self, epoll: &Weak<Epoll>, number: i32) {
        let mut sets = self.0.lock();
        sets.retain(|(set, other)| set.strong_count() > 0 && !(set.ptr_eq(epoll) && *other == number));
        sets.push((epoll.clone(), number));
    }

    /// `description`, whose sets these are, is closed.
    pub fn leave(&self, description: &Description) {
        for (set, number) in core::mem::take(&mut *self.0.lock()) {
            // It may have left that set already.
            let _ = set.upgrade().map(|set| set.forget(key(number, description)));
        }
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
