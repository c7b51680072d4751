//! Members of a set that may be ready, in the order in which something happened to them.
//!
//! Whatever happens to a member lists it; whether it is ready is looked at by who waits. Who is found not to be is
//! taken from the list, so that nobody is looked at again before something happens to it.

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

    /// Whether it is told as long as it is ready, whatever happens to it (EPOLLLT).
    fn is_level(&self) -> bool;
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
    /// How many are taking members from the list, and put them back soon.
    takers: usize,
    /// Somebody has found nobody on the list meanwhile.
    missed: bool,
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
        let list = Mutex::new(List { members: VecDeque::new(), left: 0, takers: 0, missed: false });
        Self { list, waiters: WaitQueue::new(), watchers: WaitQueue::new() }
    }
}

/// Puts members before those that were listed meanwhile.
#[cold]
fn put_before<T>(list: &mut VecDeque<Weak<T>>, members: &mut VecDeque<Weak<T>>) {
    members.append(list);
    core::mem::swap(list, members);
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
        self.waiters.wake_one_in_line();
        self.watchers.wake_all_in_line();
    }

    /// Puts a member on the list, if it is not there.
    #[inline(always)]
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

    /// Puts one back that was taken, if it is not on the list again, and takes the first one: what happens to it from
    /// now on lists it again. Nothing is dropped under the lock but places.
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

    /// Puts members back that were taken, before those that were listed meanwhile, and wakes who may have missed them.
    fn end(&self, put_back: impl FnOnce(&mut List<T>)) {
        let mut list = self.list.lock_in_line();
        put_back(&mut list);
        list.takers -= 1;
        // Others may hold what was missed.
        let missed = list.missed;
        list.missed &= list.takers > 0;
        if list.members.is_empty() {
            return;
        }
        drop(list);
        self.waiters.wake_one();
        if missed {
            self.watchers.wake_all();
        }
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
            // Looked at without the lock, for a member may be a set itself; and left where it is, so that nobody who
            // looks meanwhile misses it.
            let first = {
                let mut list = self.list.lock();
                list.missed |= list.takers > 0;
                list.members.front().cloned()
            };
            let Some(first) = first else { return false };
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

    /// Calls `tell` for members that are ready, `most` at most; those of which it says so stay on the list.
    #[inline]
    pub fn collect(&self, most: usize, mut tell: impl FnMut(&T, u32) -> bool) {
        if !self.tell_only(&mut tell) {
            self.take(most, tell);
        }
    }

    /// Whether the list has one member alone, which is ready and told as long as it is. It stays where it is, so that
    /// there is nothing to be put back.
    #[inline]
    fn tell_only(&self, tell: &mut impl FnMut(&T, u32) -> bool) -> bool {
        let list = self.list.lock_in_line();
        let only = if list.members.len() == 1 { list.members.front().and_then(Weak::upgrade) } else { None };
        drop(list);
        let Some(member) = only.filter(|member| member.is_level()) else { return false };
        let events = member.found();
        if events == 0 {
            return false;
        }
        // One that is not to stay has been armed anew meanwhile, and may be told once more.
        tell(&member, events);
        self.waiters.wake_one_in_line();
        true
    }

    /// Takes members from the list, tells those that are ready, and puts those back that are to stay. Each is looked at
    /// once.
    #[inline(never)]
    fn take(&self, most: usize, tell: impl FnMut(&T, u32) -> bool) {
        let mut list = self.list.lock_in_line();
        if list.members.is_empty() {
            return;
        }
        list.takers += 1;
        if list.members.len() == 1
            && let Some(only) = list.members.pop_front()
        {
            drop(list);
            self.collect_one(only, tell);
        } else if list.members.len() <= most {
            let members = core::mem::take(&mut list.members);
            drop(list);
            self.collect_all(members, tell);
        } else {
            drop(list);
            self.collect_some(most, tell);
        }
    }

    /// Looks at a member that was taken from the list; whether it goes back. `None`: it has left the set.
    #[inline(always)]
    fn look_at(place: &Weak<T>, tell: &mut impl FnMut(&T, u32) -> bool) -> Option<bool> {
        let member = place.upgrade()?;
        member.listed().store(false, Ordering::SeqCst);
        let events = member.found();
        Some(events != 0 && tell(&member, events) && !member.listed().swap(true, Ordering::SeqCst))
    }

    /// Of the only one that was on the list, as often.
    #[inline]
    fn collect_one(&self, only: Weak<T>, mut tell: impl FnMut(&T, u32) -> bool) {
        let stays = Self::look_at(&only, &mut tell);
        self.end(|list| match stays {
            Some(true) => list.members.push_front(only),
            Some(false) => {}
            None => list.left = list.left.saturating_sub(1),
        });
    }

    /// Of all that were on the list: it is locked twice for them.
    #[inline(never)]
    fn collect_all(&self, mut members: VecDeque<Weak<T>>, mut tell: impl FnMut(&T, u32) -> bool) {
        let mut gone = 0;
        // Those that stay go around once, and are in order again.
        for _ in 0..members.len() {
            let Some(place) = members.pop_front() else { break };
            match Self::look_at(&place, &mut tell) {
                Some(true) => members.push_back(place),
                Some(false) => {}
                None => gone += 1,
            }
        }
        self.end(|list| {
            list.left = list.left.saturating_sub(gone);
            if list.members.is_empty() {
                let before = core::mem::replace(&mut list.members, members);
                // It has memory if something has come and gone meanwhile. Else nothing is to be dropped.
                if before.capacity() == 0 {
                    core::mem::forget(before);
                }
            } else {
                put_before(&mut list.members, &mut members);
            }
        });
    }

    /// One after another, so that others who wait find the rest.
    #[inline(never)]
    fn collect_some(&self, most: usize, mut tell: impl FnMut(&T, u32) -> bool) {
        let (mut looks, mut told) = (self.listed(), 0);
        let mut back: Option<Taken<T>> = None;
        while told < most && looks > 0 {
            // One that was ready is put back as the next is taken: the list is locked once for each.
            let step = self.advance(&mut back);
            looks -= 1;
            back = match step {
                Step::Nobody => break,
                Step::HasLeft => None,
                Step::Took((member, place)) => {
                    let events = member.found();
                    told += usize::from(events != 0);
                    (events != 0 && tell(&member, events)).then_some((member, place))
                }
            };
        }
        self.end(|list| list.put_back(&mut back));
    }

    /// How many are on the list.
    pub fn listed(&self) -> usize {
        self.list.lock_in_line().members.len()
    }
}
