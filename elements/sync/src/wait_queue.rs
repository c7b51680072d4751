//! A queue of those who wait for something.
//!
//! Who waits brings its own place in the list, a pinned [`Waiter`], so waiting allocates nothing. The order to be kept
//! is: enter the queue, look whether what one waits for is there, sleep. Who makes it be there changes the state first
//! and wakes afterwards; so whoever looked too early is in the queue by then.
//!
//! Unsafe: the list links waiters by address. A waiter is pinned, leaves the list before its memory goes (`Drop`), and
//! its links are touched under the queue's lock only.
#![allow(unsafe_code)]

use alloc::{boxed::Box, sync::Arc};
use core::{cell::UnsafeCell, fmt, marker::PhantomPinned, pin::Pin, ptr, task::Waker};

use crate::Mutex;

/// Those who wait, in the order they came.
pub struct WaitQueue {
    list: Mutex<List>,
}

/// First and last waiter; null if there is none.
struct List {
    first: *const Node,
    last: *const Node,
}

// SAFETY: the waiters it points to are only touched under the queue's lock, and what they hold is `Send`.
unsafe impl Send for List {}

/// Whether a waiter leaves the queue when it is woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stay {
    /// It is woken once and counts as one of those to be woken: a thread.
    Once,
    /// It stays and is told of every wake: somebody who watches for others, as epoll(7) does.
    Always,
}

/// A place in a [`WaitQueue`].
pub struct Waiter<'a> {
    queue: &'a WaitQueue,
    node: Node,
}

struct Node {
    links: UnsafeCell<Links>,
    waker: Waker,
    stay: Stay,
    _pinned: PhantomPinned,
}

struct Links {
    next: *const Node,
    previous: *const Node,
    queued: bool,
}

// SAFETY: a waker may be woken from anywhere, and the links are only touched under the queue's lock.
unsafe impl Send for Waiter<'_> {}
// SAFETY: as above.
unsafe impl Sync for Waiter<'_> {}

impl WaitQueue {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: Mutex::new(List { first: ptr::null(), last: ptr::null() }) }
    }

    /// Wakes all who wait.
    pub fn wake_all(&self) {
        self.wake(usize::MAX);
    }

    /// Wakes the one who has waited longest; `false` if nobody waits. Those who stay are told too.
    pub fn wake_one(&self) -> bool {
        self.wake(1) == 1
    }

    /// Wakes at most `most` of those who wait, the longest waiting first, and tells all who stay; says how many left.
    ///
    /// Wakers run under the queue's lock: that is what keeps a waiter's memory while it is woken. They must not come
    /// back to this queue.
    #[inline(never)]
    pub fn wake(&self, most: usize) -> usize {
        let mut list = self.list.lock();
        let mut woken = 0;
        let mut at = list.first;
        // SAFETY: what is in the list is pinned and leaves it before it goes, which takes the lock that we hold.
        while let Some(node) = unsafe { at.as_ref() } {
            // SAFETY: under the lock.
            at = unsafe { (*node.links.get()).next };
            if node.stay == Stay::Always {
                node.waker.wake_by_ref();
            } else if woken < most {
                list.remove(node);
                woken += 1;
                node.waker.wake_by_ref();
            }
        }
        woken
    }

    /// Whether nobody is in the queue.
    pub fn is_empty(&self) -> bool {
        self.list.lock().first.is_null()
    }
}

impl Default for WaitQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for WaitQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WaitQueue").finish_non_exhaustive()
    }
}

impl<'a> Waiter<'a> {
    /// A place for who is woken by `waker`, not in the queue yet.
    #[must_use]
    pub const fn new(queue: &'a WaitQueue, waker: Waker, stay: Stay) -> Self {
        let links = Links { next: ptr::null(), previous: ptr::null(), queued: false };
        Self { queue, node: Node { links: UnsafeCell::new(links), waker, stay, _pinned: PhantomPinned } }
    }

    /// Enters the queue at its end; nothing happens to a waiter that is in it.
    pub fn enter(self: Pin<&Self>) {
        self.queue.list.lock().append(&self.get_ref().node);
    }

    /// Leaves the queue; `false` if the waiter was not in it (any more).
    pub fn leave(self: Pin<&Self>) -> bool {
        self.get_ref().leave_queue()
    }

    fn leave_queue(&self) -> bool {
        self.queue.list.lock().remove(&self.node)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.leave_queue();
    }
}

impl fmt::Debug for Waiter<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Waiter").finish_non_exhaustive()
    }
}

/// A place in the queue of something that it keeps, for somebody who watches that for long: see [`Stay::Always`].
pub struct Watcher<T: ?Sized> {
    // The waiter's queue is in what the watcher keeps, which therefore goes after it: fields are dropped in this order.
    _waiter: Pin<Box<Waiter<'static>>>,
    _watched: Arc<T>,
}

impl<T: ?Sized> Watcher<T> {
    /// Has `waker` told of all that happens in the queue of `watched`, from now on.
    pub fn new(watched: Arc<T>, queue: fn(&T) -> &WaitQueue, waker: Waker) -> Self {
        // SAFETY: the queue is borrowed from what lies in the `Arc`, which nobody can change or move as long as the
        // watcher has a share of it; the waiter goes first and is lent to nobody.
        let queue = unsafe { &*ptr::from_ref(queue(&watched)) };
        let waiter = Box::pin(Waiter::new(queue, waker, Stay::Always));
        waiter.as_ref().enter();
        Self { _waiter: waiter, _watched: watched }
    }
}

impl<T: ?Sized> fmt::Debug for Watcher<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Watcher").finish_non_exhaustive()
    }
}

impl List {
    /// The list is locked as long as `&mut self` lives, so the links of all that is in it are ours.
    fn append(&mut self, node: &Node) {
        let last = self.last;
        // SAFETY: under the lock; `last` is null or in the list.
        unsafe {
            let links = &mut *node.links.get();
            if links.queued {
                return;
            }
            *links = Links { next: ptr::null(), previous: last, queued: true };
            match last.as_ref() {
                Some(last) => (*last.links.get()).next = node,
                None => self.first = node,
            }
        }
        self.last = node;
    }

    fn remove(&mut self, node: &Node) -> bool {
        // SAFETY: under the lock; neighbours are in the list.
        unsafe {
            let links = &mut *node.links.get();
            if !links.queued {
                return false;
            }
            links.queued = false;
            match links.previous.as_ref() {
                Some(previous) => (*previous.links.get()).next = links.next,
                None => self.first = links.next,
            }
            match links.next.as_ref() {
                Some(next) => (*next.links.get()).previous = links.previous,
                None => self.last = links.previous,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests;
