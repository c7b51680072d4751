//! One file that a set watches: for which events, and how often they are told (EPOLLET, EPOLLONESHOT).
//!
//! Whatever happens in the queue of what is watched puts the item on the list of its set; whether it is ready is looked
//! at by who waits. So nothing that happens is missed, and a look is made only for what something happened to.

use alloc::{sync::Arc, task::Wake};
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use linux_abi::constants::{EPOLLET, EPOLLEXCLUSIVE, EPOLLONESHOT, EPOLLWAKEUP, POLLERR, POLLHUP, POLLIN, POLLOUT};

use crate::{Member, Ready};

/// Bits that say how to watch; the others are events.
pub const MODES: u32 = EPOLLEXCLUSIVE | EPOLLWAKEUP | EPOLLONESHOT | EPOLLET;
/// Events that are told whether asked for or not: POLLERR, POLLHUP.
pub const REPORTED: u32 = (POLLERR | POLLHUP) as u32;
/// Reading and writing, all that EPOLLEXCLUSIVE goes with beside what is reported anyway.
const READ_AND_WRITE: u32 = (POLLIN | POLLOUT) as u32;

/// What is watched.
pub trait Watched: Send + Sync + 'static {
    /// The events that hold at the moment.
    fn events(&self) -> u32;
}

/// A file in a set.
pub struct Item<W> {
    ready: Arc<Ready<Self>>,
    /// What is watched.
    pub watched: W,
    /// Events and modes; modes alone while it is not armed.
    events: AtomicU32,
    data: AtomicU64,
    listed: AtomicBool,
}

/// An event as it is told: which hold, and what the program gave for this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The events.
    pub events: u32,
    /// The program's own.
    pub data: u64,
}

/// Whether EPOLLEXCLUSIVE does not go with these events, or with a file that is a set.
#[must_use]
pub const fn is_contradictory(events: u32, is_set: bool) -> bool {
    const NOT_WITH_IT: u32 = EPOLLONESHOT | !MODES & !(REPORTED | READ_AND_WRITE);
    events & EPOLLEXCLUSIVE != 0 && (is_set || events & NOT_WITH_IT != 0)
}

impl<W: Watched> Member for Item<W> {
    fn listed(&self) -> &AtomicBool {
        &self.listed
    }

    #[inline]
    fn found(&self) -> u32 {
        self.watched.events() & self.events()
    }

    #[inline]
    fn is_level(&self) -> bool {
        self.events() & (EPOLLONESHOT | EPOLLET) == 0
    }
}

impl<W: Watched> Item<W> {
    pub(crate) fn new(ready: &Arc<Ready<Self>>, watched: W) -> Arc<Self> {
        Arc::new(Self {
            ready: Arc::clone(ready),
            watched,
            events: AtomicU32::new(0),
            data: AtomicU64::new(0),
            listed: AtomicBool::new(false),
        })
    }

    /// Events and modes.
    pub fn events(&self) -> u32 {
        self.events.load(Ordering::SeqCst)
    }

    /// Says what to watch for and what to tell then, and looks.
    pub fn arm(self: &Arc<Self>, events: u32, data: u64) {
        self.data.store(data, Ordering::SeqCst);
        self.events.store(events & !EPOLLWAKEUP | REPORTED, Ordering::SeqCst);
        if self.found() != 0 {
            self.ready.list(self);
        }
    }

    /// Is watched no more, and about to be dropped.
    pub(crate) fn disarm(&self) {
        self.events.store(0, Ordering::SeqCst);
        self.ready.leave(self);
    }

    /// What it tells of these events, and whether it stays on the list: it tells nothing again before something
    /// happens, before it is armed, or as long as it is ready.
    pub(crate) fn tell(&self, found: u32) -> (Told, bool) {
        let data = self.data.load(Ordering::SeqCst);
        let stays = self.is_level();
        if !stays && self.events() & EPOLLONESHOT != 0 {
            self.events.fetch_and(MODES, Ordering::SeqCst);
        }
        (Told { events: found, data }, stays)
    }
}

/// Something happened in the queue of what is watched. Runs under that queue's lock.
impl<W: Watched> Wake for Item<W> {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.events() & !MODES != 0 {
            self.ready.list(self);
        }
    }
}
