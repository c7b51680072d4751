//! Members of a set that may be ready, in the order in which something happened to them.
//!
//! Whatever happens to a member lists it; whether it is ready is looked at by who waits. Who is found not to be is taken
//! from the list, so that nobody is looked at again before something happens to it.

use alloc::{
    collections::VecDeque,
    sync::{Arc, Weak},
};
use core::{
    ptr,
    sync::atomic::{AtomicBool, Ordering},
};

use sync::{Mutex, WaitQueue};

/// A member of a set.
pub trait Member: Send + Sync {
    /// Whether it is on the list: this module's alone.
    fn listed(&self) -> &AtomicBool;

    /// The events that hold at the moment.
    fn found(&self) -> u32;
}

/// The list, and who waits for it.
pub struct Ready<T> {
    list: Mutex<List<T>>,
    /// Threads that wait in epoll_wait(2): one of them for each event.
    pub waiters: WaitQueue,
    /// Those who watch the set itself.
    pub watchers: WaitQueue,
}

struct List<T> {
    /// Who leaves the set is gone at once, and what it watched with it: only its place here stays.
    members: VecDeque<Weak<T>>,
    /// How many of these may have left.
    left: usize,
}

impl<T> Default for Ready<T> {
    fn default() -> Self {
        let list = Mutex::new(List { members: VecDeque::new(), left: 0 });
        Self { list, waiters: WaitQueue::new(), watchers: WaitQueue::new() }
    }
}

impl<T: Member> Ready<T> {
    /// Something happened to a member: puts it on the list, and wakes.
    pub fn list(&self, member: &Arc<T>) {
        self.push(member);
        self.waiters.wake_one();
        self.watchers.wake_all();
    }

    /// Puts a member on the list, if it is not there.
    pub fn push(&self, member: &Arc<T>) {
        let mut list = self.list.lock();
        if !member.listed().swap(true, Ordering::SeqCst) {
            list.members.push_back(Arc::downgrade(member));
        }
    }

    /// A member leaves the set, and is about to be dropped.
    pub fn leave(&self, member: &T) {
        let mut list = self.list.lock();
        if member.listed().load(Ordering::SeqCst) {
            list.left += 1;
            // One look at all for as many as have left before it, so that closing thousands is no matter of squares.
            if list.left > list.members.len() / 2 {
                list.members.retain(|member| member.strong_count() > 0);
                list.left = 0;
            }
        }
    }

    /// Takes the first one from the list: what happens to it from now on lists it again. `None` inside for one that has
    /// left the set.
    fn pop(&self) -> Option<Option<Arc<T>>> {
        let mut list = self.list.lock();
        let member = list.members.pop_front()?.upgrade();
        match &member {
            Some(member) => member.listed().store(false, Ordering::SeqCst),
            None => list.left = list.left.saturating_sub(1),
        }
        Some(member)
    }

    /// Takes the first one from the list if it is this one still.
    fn pop_if(&self, first: &Weak<T>) -> Option<Arc<T>> {
        let mut list = self.list.lock();
        if !list.members.front().is_some_and(|front| ptr::eq(front.as_ptr(), first.as_ptr())) {
            return None;
        }
        let member = list.members.pop_front()?.upgrade()?;
        member.listed().store(false, Ordering::SeqCst);
        Some(member)
    }

    /// Whether any member is ready. Those before the first that is are taken from the list.
    pub fn is_ready(&self) -> bool {
        loop {
            // Looked at without the lock, for a member may be a set itself; and left where it is, so that nobody who looks
            // meanwhile misses it.
            let Some(first) = self.list.lock().members.front().cloned() else { return false };
            if first.upgrade().is_some_and(|member| member.found() != 0) {
                return true;
            }
            // Something may have happened to it since the look.
            if let Some(member) = self.pop_if(&first)
                && member.found() != 0
            {
                self.list(&member);
            }
        }
    }

    /// Takes members from the list and calls `tell` for those that are ready, `most` at most. Each is looked at once,
    /// though `tell` may list it again.
    pub fn collect(&self, most: usize, tell: &mut dyn FnMut(&Arc<T>, u32)) {
        let (mut looks, mut told) = (self.list.lock().members.len(), 0);
        while told < most
            && looks > 0
            && let Some(member) = self.pop()
        {
            looks -= 1;
            let Some(member) = member else { continue };
            let events = member.found();
            if events != 0 {
                tell(&member, events);
                told += 1;
            }
        }
        // Somebody may have looked while members were not on the list.
        if !self.list.lock().members.is_empty() {
            self.waiters.wake_one();
        }
    }
}
