//! One descriptor that an epoll watches.
//!
//! Whatever happens in the queue of what is watched puts the item on the list of its set; whether it is ready is looked
//! at by who waits. So nothing that happens is missed, and a look is made only for what something happened to.

use alloc::{
    sync::{Arc, Weak},
    task::Wake,
};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use linux_abi::{
    constants::{EPOLLET, EPOLLEXCLUSIVE, EPOLLONESHOT, EPOLLWAKEUP},
    structures::EpollEvent,
};
use vfs::{
    Node,
    sets::{Member, Ready},
};

use crate::objects::{descriptors::Description, files::poll};

/// Bits that say how to watch; the others are events.
pub const MODES: u32 = EPOLLEXCLUSIVE | EPOLLWAKEUP | EPOLLONESHOT | EPOLLET;
/// Events that are told whether asked for or not: POLLERR, POLLHUP.
pub const REPORTED: u32 = 0x18;

/// What is watched.
pub struct Item {
    ready: Arc<Ready<Self>>,
    pub(super) node: Arc<dyn Node>,
    /// The open file, which the set does not keep open.
    pub(super) file: Weak<Description>,
    /// Events and modes; modes alone while it is not armed.
    events: AtomicU32,
    data: AtomicU64,
    listed: AtomicBool,
}

impl Member for Item {
    fn listed(&self) -> &AtomicBool {
        &self.listed
    }

    fn found(&self) -> u32 {
        u32::from(poll::events(&*self.node)) & self.events()
    }
}

impl Item {
    pub(super) fn new(ready: &Arc<Ready<Self>>, file: &Arc<Description>) -> Arc<Self> {
        Arc::new(Self {
            ready: Arc::clone(ready),
            node: Arc::clone(&file.node),
            file: Arc::downgrade(file),
            events: AtomicU32::new(0),
            data: AtomicU64::new(0),
            listed: AtomicBool::new(false),
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
            self.ready.list(self);
        }
    }

    /// Is watched no more, and about to be dropped.
    pub(super) fn disarm(&self) {
        self.events.store(0, Ordering::SeqCst);
        self.ready.leave(self);
    }

    /// What it tells of these events: not again before something happens (EPOLLET), before it is armed (EPOLLONESHOT),
    /// or as long as it is ready.
    pub(super) fn tell(self: &Arc<Self>, found: u32) -> EpollEvent {
        let (events, data) = (self.events(), self.data.load(Ordering::SeqCst));
        if events & EPOLLONESHOT != 0 {
            self.events.fetch_and(MODES, Ordering::SeqCst);
        } else if events & EPOLLET == 0 {
            self.ready.push(self);
        }
        EpollEvent { events: found, data: [data as u32, (data >> u32::BITS) as u32] }
    }
}

/// Something happened in the queue of what is watched. Runs under that queue's lock.
impl Wake for Item {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.events() & !MODES != 0 {
            self.ready.list(self);
        }
    }
}
