//! A queue of those who wait for something.
//!
//! Who waits brings its own place in the list, a pinned [`Waiter`], so waiting allocates nothing. The order to be kept
//! is: enter the queue, look whether what one waits for is there, sleep. Who makes it be there changes the state first
//! and wakes afterwards; so whoever looked too early is in the queue by then.
//!
//! Unsafe: the list links waiters by address. A waiter is pinned, leaves the list before its memory goes (`Drop`), and
//! its links are touched under the queue's lock only. One that knows it has been woken takes no lock: its flag is
//! cleared when nobody touches it any more.
#![allow(unsafe_code)]

use alloc::{boxed::Box, sync::Arc};
use core::{
    cell::UnsafeCell,
    fmt,
    marker::PhantomPinned,
    pin::Pin,
    ptr,
    sync::atomic::{
        AtomicBool,
        Ordering::{Acquire, Relaxed, Release},
    },
    task::Waker,
};

use crate::{Mutex, is_alone};

/// Those who wait, in the order they came, behind those who stay.
pub struct WaitQueue {
    list: UnsafeCell<List>,
    /// Guards the list.
    lock: Mutex<()>,
    /// Whether who uses it takes turns, so that the lock is left alone.
    in_turns: AtomicBool,
}

/// First and last waiter; null if there is none.
struct List {
    first: *const Node,
    last: *const Node,
}

// SAFETY: the waiters it points to are only touched under the queue's lock, and what they hold is `Send`.
unsafe impl Send for List {}

// SAFETY: the list is touched under the lock, or by those who take turns.
unsafe impl Sync for WaitQueue {}

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
    /// Whether it is in the list. Set under the lock; cleared there too, as the last thing that is done with the node.
    queued: AtomicBool,
    waker: Waker,
    stay: Stay,
    _pinned: PhantomPinned,
}

struct Links {
    next: *const Node,
    previous: *const Node,
}

// SAFETY: a waker may be woken from anywhere, and the links are only touched under the queue's lock.
unsafe impl Send for Waiter<'_> {}
// SAFETY: as above.
unsafe impl Sync for Waiter<'_> {}

impl WaitQueue {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        let list = UnsafeCell::new(List { first: ptr::null(), last: ptr::null() });
        Self { list, lock: Mutex::new(()), in_turns: AtomicBool::new(false) }
    }

    /// From now on the lock is not taken.
    ///
    /// # Safety
    /// Everybody who uses the queue runs on one processor, which nobody takes from another in the middle.
    pub(crate) unsafe fn take_turns(&self) {
        self.in_turns.store(true, Relaxed);
    }

    fn with_list<R>(&self, work: impl FnOnce(&mut List) -> R) -> R {
        let _guard = (!self.in_turns.load(Relaxed)).then(|| self.lock.lock());
        // SAFETY: under the lock, or `take_turns` was told that nobody else is here.
        work(unsafe { &mut *self.list.get() })
    }

    /// Wakes all who wait.
    pub fn wake_all(&self) {
        self.wake(usize::MAX);
    }

    /// As [`Self::wake_one`], where mostly nobody waits: then it costs no call.
    #[inline]
    pub fn wake_one_in_line(&self) -> bool {
        !self.is_surely_empty() && self.wake_one()
    }

    /// As [`Self::wake_all`], in the same way.
    #[inline]
    pub fn wake_all_in_line(&self) {
        if !self.is_surely_empty() {
            self.wake_all();
        }
    }

    /// Whether nobody is in the queue, and nobody else is here to enter it.
    #[inline]
    fn is_surely_empty(&self) -> bool {
        // SAFETY: nobody else is here to change it.
        is_alone() && unsafe { (*self.list.get()).first.is_null() }
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
        if self.is_surely_empty() {
            return 0;
        }
        self.with_list(|list| Self::wake_in(list, most))
    }

    #[inline]
    fn wake_in(list: &mut List, most: usize) -> usize {
        let mut woken = 0;
        let mut at = list.first;
        // SAFETY: what is in the list is pinned and leaves it before it goes, which takes the lock that we hold.
        while let Some(node) = unsafe { at.as_ref() } {
            #[cfg(test)]
            tests::count_step();
            // Those who stay come first: behind enough who were woken nobody is told.
            if node.stay == Stay::Once && woken >= most {
                break;
            }
            // SAFETY: under the lock.
            at = unsafe { (*node.links.get()).next };
            if node.stay == Stay::Always {
                node.waker.wake_by_ref();
            } else {
                list.unlink(node);
                woken += 1;
                node.waker.wake_by_ref();
                node.queued.store(false, Release);
            }
        }
        woken
    }

    /// Whether nobody is in the queue.
    pub fn is_empty(&self) -> bool {
        self.with_list(|list| list.first.is_null())
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
        let links = Links { next: ptr::null(), previous: ptr::null() };
        Self {
            queue,
            node: Node {
                links: UnsafeCell::new(links),
                queued: AtomicBool::new(false),
                waker,
                stay,
                _pinned: PhantomPinned,
            },
        }
    }

    /// Enters the queue at its end, or at its beginning if it stays; nothing happens to a waiter that is in it.
    pub fn enter(self: Pin<&Self>) {
        let node = &self.get_ref().node;
        self.queue.with_list(|list| list.add(node));
    }

    /// Whether the waiter is in the queue: it has not been woken.
    #[must_use]
    pub fn is_queued(&self) -> bool {
        // Who is just being woken is in the list no more, and is waited for.
        self.node.queued.load(Acquire) && self.queue.with_list(|_| self.node.queued.load(Relaxed))
    }

    /// Leaves the queue; `false` if the waiter was not in it (any more).
    pub fn leave(self: Pin<&Self>) -> bool {
        self.get_ref().leave_queue()
    }

    fn leave_queue(&self) -> bool {
        self.node.queued.load(Acquire) && self.queue.with_list(|list| list.remove(&self.node))
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
    fn add(&mut self, node: &Node) {
        let neighbours = match node.stay {
            Stay::Once => Links { next: ptr::null(), previous: self.last },
            Stay::Always => Links { next: self.first, previous: ptr::null() },
        };
        // SAFETY: under the lock; the neighbours are null or in the list.
        unsafe {
            if node.queued.load(Relaxed) {
                return;
            }
            node.queued.store(true, Relaxed);
            match neighbours.previous.as_ref() {
                Some(previous) => (*previous.links.get()).next = node,
                None => self.first = node,
            }
            match neighbours.next.as_ref() {
                Some(next) => (*next.links.get()).previous = node,
                None => self.last = node,
            }
            *node.links.get() = neighbours;
        }
    }

    fn remove(&mut self, node: &Node) -> bool {
        let queued = node.queued.load(Relaxed);
        if queued {
            self.unlink(node);
            node.queued.store(false, Release);
        }
        queued
    }

    /// Takes a node that is in the list out of it.
    fn unlink(&mut self, node: &Node) {
        // SAFETY: under the lock; neighbours are in the list.
        unsafe {
            let links = &mut *node.links.get();
            match links.previous.as_ref() {
                Some(previous) => (*previous.links.get()).next = links.next,
                None => self.first = links.next,
            }
            match links.next.as_ref() {
                Some(next) => (*next.links.get()).previous = links.previous,
                None => self.last = links.previous,
            }
        }
    }
}

#[cfg(test)]
mod tests;
