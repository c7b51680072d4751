//! Timers in the order of their deadlines, for an alarm that is set for the first: no tick.
//!
//! A [`Timer`] is embedded in what waits (a thread, a POSIX timer), so nothing is allocated. Setting and cancelling
//! take O(log n), the earliest deadline is known at once. Deadlines are nanoseconds of whichever clock the queue is
//! for.
//!
//! An [`Interval`] says when a timer of a program rings next and how often it has, [`Overruns`] what its signals
//! missed.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

use intrusive::{Linked, Links, Ordered, Ref, Tree, Word};

mod interval;
mod overruns;
#[cfg(test)]
mod tests;

pub use interval::Interval;
pub use overruns::Overruns;

/// A timer. Its owner finds itself by where the timer lies in it.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Timer {
    links: Links<Self>,
    deadline: Word,
    /// 1: it is in a queue.
    queued: Word,
}

/// A timer in its place: who makes the reference vouches that it stays there while it is in a queue.
pub type TimerRef = Ref<Timer>;

impl Timer {
    /// One that is not set.
    #[must_use]
    pub const fn new() -> Self {
        Self { links: Links::new(), deadline: Word::new(0), queued: Word::new(0) }
    }

    /// Its deadline, if it is set and has not been taken out since.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        (self.queued.get() != 0).then(|| self.deadline.get())
    }
}

impl Linked for Timer {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

impl Ordered for Timer {
    fn precedes(&self, other: &Self) -> bool {
        #[cfg(test)]
        tests::count_step();
        self.deadline.get() < other.deadline.get()
    }
}

/// Timers that are set. Shared by processors only under a lock.
#[derive(Debug, Default)]
pub struct Queue(Tree<Timer>);

impl Queue {
    /// Without timers.
    #[must_use]
    pub const fn new() -> Self {
        Self(Tree::new())
    }

    /// Sets a timer, again if it is set in this queue. Whether it is now the first, so that the alarm must be set anew.
    pub fn insert(&self, timer: TimerRef, deadline: u64) -> bool {
        self.remove(timer);
        timer.deadline.set(deadline);
        timer.queued.set(1);
        self.0.insert(timer);
        self.0.first() == Some(timer)
    }

    /// Cancels a timer of this queue; whether it was set.
    pub fn remove(&self, timer: TimerRef) -> bool {
        let queued = timer.queued.get() != 0;
        if queued {
            self.0.remove(timer);
            timer.queued.set(0);
        }
        queued
    }

    /// The first deadline.
    #[must_use]
    pub fn earliest(&self) -> Option<u64> {
        self.0.first().map(|first| first.deadline.get())
    }

    /// Takes out the first timer, if its deadline is not after `now`. Those of equal deadlines come as they were set.
    pub fn pop_expired(&self, now: u64) -> Option<TimerRef> {
        let first = self.0.first().filter(|first| first.deadline.get() <= now)?;
        self.remove(first);
        Some(first)
    }
}
