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

/// A member that was taken from the list, and its place there.
type Taken<T> = (Arc<T>, Weak<T>);

/// What was first on the list.
enum Step<T> {
    /// The list is empty.
    Nobody,
    /// It has left the set.
    HasLeft,
    /// It was taken.
    Took(Taken<T>),
}

impl<T> Default for Ready<T> {
    fn default() -> Self {
        let list = Mutex::new(List { members: VecDeque::new(), left: 0 });
        Self { list, waiters: WaitQueue::new(), watchers: WaitQueue::new() }
    }
}

impl<T: Member> List<T> {
    /// Puts one back that was taken, if it is not here again.
    #[inline(always)]
    fn put_back(&mut self, back: &mut Option<Taken<T>>) {
        if let Some((member, place)) = back
            && !member.listed().swap(true, Ordering::SeqCst)
        {
            self.members.push_back(core::mem::take(place));
        }
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

    /// Puts one back that was taken, if it is not on the list again, and takes the first one: what happens to it from now
    /// on lists it again. Nothing is dropped under the lock but places.
    fn advance(&self, back: &mut Option<Taken<T>>) -> Step<T> {
        let mut list = self.list.lock_in_line();
        list.put_back(back);
        let Some(place) = list.members.pop_front() else { return Step::Nobody };
        let Some(member) = place.upgrade() else {
            list.left = list.left.saturating_sub(1);
            return Step::HasLeft;
        };
        member.listed().store(false, Ordering::SeqCst);
        Step::Took((member, place))
    }

    /// Puts one back that was taken; whether any are on the list then.
    fn end(&self, back: &mut Option<Taken<T>>) -> bool {
        let mut list = self.list.lock_in_line();
        list.put_back(back);
        !list.members.is_empty()
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

    /// Takes members from the list and calls `tell` for those that are ready, `most` at most; those of which it says so
    /// go back on the list. Each is looked at once.
    pub fn collect(&self, most: usize, mut tell: impl FnMut(&T, u32) -> bool) {
        let (mut looks, mut told) = (self.listed(), 0);
        let mut back: Option<Taken<T>> = None;
        while told < most && looks > 0 {
            // One that was ready is put back as the next is taken: the list is locked once for each.
            let step = self.advance(&mut back);
            looks -= 1;
            back = match step {
                Step::Nobody => return,
                Step::HasLeft => None,
                Step::Took((member, place)) => {
                    let events = member.found();
                    told += usize::from(events != 0);
                    (events != 0 && tell(&member, events)).then_some((member, place))
                }
            };
        }
        // Somebody may have looked while members were not on the list.
        if self.end(&mut back) {
            self.waiters.wake_one();
        }
    }

    /// How many are on the list.
    pub fn listed(&self) -> usize {
        self.list.lock_in_line().members.len()
    }
}
