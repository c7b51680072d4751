//! One descriptor that an epoll watches, and the list of those that may be ready.
//!
//! Whatever happens in the queue of what is watched puts the item on the list; whether it is ready is looked at by who
//! waits. So nothing that happens is missed, and a look is made only for what something happened to.

use alloc::{
    sync::{Arc, Weak},
    task::Wake,
    vec::Vec,
};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use linux_abi::{
    constants::{EPOLLET, EPOLLEXCLUSIVE, EPOLLONESHOT, EPOLLWAKEUP},
    structures::EpollEvent,
};
use sync::{Mutex, WaitQueue};
use vfs::Node;

use crate::files::poll;

/// Bits that say how to watch; the others are events.
pub const MODES: u32 = EPOLLEXCLUSIVE | EPOLLWAKEUP | EPOLLONESHOT | EPOLLET;
/// Events that are told whether asked for or not: POLLERR, POLLHUP.
pub const REPORTED: u32 = 0x18;

/// What is watched.
pub struct Item {
    ready: Arc<Ready>,
    pub(super) node: Arc<dyn Node>,
    /// Events and modes; modes alone while it is not armed.
    events: AtomicU32,
    data: AtomicU64,
    /// Whether it is on the list; changes under the list's lock.
    is_listed: AtomicBool,
}

/// Items in the order in which something happened to them.
#[derive(Default)]
struct List {
    /// Who leaves the set is gone at once, and what it watched with it: only its place here stays.
    items: Vec<Weak<Item>>,
    /// How many of these may have left.
    left: usize,
}

/// Items that may be ready, and who waits for them.
#[derive(Default)]
pub struct Ready {
    list: Mutex<List>,
    /// Threads that wait in epoll_wait(2): one of them for each event.
    pub(super) waiters: WaitQueue,
    /// Those who watch the epoll itself.
    pub(super) watchers: WaitQueue,
}

impl Item {
    pub(super) fn new(ready: &Arc<Ready>, node: &Arc<dyn Node>) -> Arc<Self> {
        Arc::new(Self {
            ready: Arc::clone(ready),
            node: Arc::clone(node),
            events: AtomicU32::new(0),
            data: AtomicU64::new(0),
            is_listed: AtomicBool::new(false),
        })
    }

    pub(super) fn events(&self) -> u32 {
        self.events.load(Ordering::SeqCst)
    }

    /// Says what to watch for and what to tell then, and looks.
    pub(super) fn arm(self: &Arc<Self>, events: u32, data: [u32; 2]) {
        self.data.store(u64::from(data[0]) | u64::from(data[1]) << u32::BITS, Ordering::SeqCst);
        self.events.store(events, Ordering::SeqCst);
        if self.found() != 0 {
            self.list();
        }
    }

    /// Is watched no more, and about to be dropped.
    pub(super) fn disarm(&self) {
        self.events.store(0, Ordering::SeqCst);
        let mut list = self.ready.list.lock();
        if self.is_listed.load(Ordering::SeqCst) {
            list.left += 1;
            // One look at all for as many as have left before it, so that closing thousands is no matter of squares.
            if list.left > list.items.len() / 2 {
                list.items.retain(|item| item.strong_count() > 0);
                list.left = 0;
            }
        }
    }

    /// Events that hold.
    pub(super) fn found(&self) -> u32 {
        u32::from(poll::events(&*self.node)) & self.events()
    }

    /// Puts it on the list, and wakes.
    fn list(self: &Arc<Self>) {
        self.ready.push(self);
        self.ready.waiters.wake_one();
        self.ready.watchers.wake_all();
    }

    /// It has been told: not again before something happens (EPOLLET), before it is armed (EPOLLONESHOT), or as long
    /// as it is ready.
    fn told(self: &Arc<Self>) {
        let events = self.events();
        if events & EPOLLONESHOT != 0 {
            self.events.fetch_and(MODES, Ordering::SeqCst);
        } else if events & EPOLLET == 0 {
            self.ready.push(self);
        }
    }
}

/// Something happened in the queue of what is watched. Runs under that queue's lock.
impl Wake for Item {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.events() & !MODES != 0 {
            self.list();
        }
    }
}

impl Ready {
    fn push(&self, item: &Arc<Item>) {
        let mut list = self.list.lock();
        if !item.is_listed.swap(true, Ordering::SeqCst) {
            list.items.push(Arc::downgrade(item));
        }
    }

    /// Whether any item is ready.
    pub(super) fn is_ready(&self) -> bool {
        // Looked at without the lock, for an item may be an epoll itself.
        let list = self.list.lock().items.clone();
        list.iter().filter_map(Weak::upgrade).any(|item| item.found() != 0)
    }

    /// The next `most` events. Items that fitted no more come first the next time.
    pub(super) fn collect(&self, most: usize) -> Vec<EpollEvent> {
        let mut found = Vec::new();
        let mut items = core::mem::take(&mut *self.list.lock()).items.into_iter();
        while found.len() < most
            && let Some(item) = items.next()
        {
            let Some(item) = item.upgrade() else { continue };
            // Before the look: what happens from now on lists it again.
            item.is_listed.store(false, Ordering::SeqCst);
            let events = item.found();
            if events != 0 {
                let data = item.data.load(Ordering::SeqCst);
                found.push(EpollEvent { events, data: [data as u32, (data >> u32::BITS) as u32] });
                item.told();
            }
        }
        let is_more = {
            let mut list = self.list.lock();
            list.items.splice(..0, items);
            !list.items.is_empty()
        };
        if is_more {
            self.waiters.wake_one();
        }
        found
    }
}
