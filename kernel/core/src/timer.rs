//! The alarms of the machine, shared out: threads that sleep until a deadline, and a few named timers.
//!
//! There is no tick. A processor's alarm is set to the earliest deadline that it knows of, and rings once.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use machine::MAX_PROCESSORS;
use sync::Mutex;

use crate::task::{self, Thread, schedule};

/// Names a timer of the layer above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerId(pub u32);

#[derive(Clone, Copy)]
enum Who {
    Timer(u32),
    Thread(&'static Thread),
}

impl PartialEq for Who {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Timer(one), Self::Timer(other)) => one == other,
            (Self::Thread(one), Self::Thread(other)) => core::ptr::eq(*one, *other),
            _ => false,
        }
    }
}

#[derive(Clone, Copy)]
struct Armed {
    deadline: u64,
    who: Who,
}

static ARMED: Mutex<Vec<Armed>> = Mutex::new(Vec::new());

/// When each processor's alarm rings.
static RINGS: [AtomicU64; MAX_PROCESSORS] = [const { AtomicU64::new(NEVER) }; MAX_PROCESSORS];
const NEVER: u64 = u64::MAX;

/// Sees to it that this processor's alarm rings at `deadline` or earlier.
pub(crate) fn ring_by(deadline: u64) {
    let rings = &RINGS[contracts::processor::number() % MAX_PROCESSORS];
    if deadline < rings.load(Ordering::Relaxed) {
        rings.store(deadline, Ordering::Relaxed);
        contracts::alarm::set(Some(deadline));
    }
}

fn replace(who: Who, deadline: Option<u64>) {
    let mut armed = ARMED.lock();
    if let Some(index) = armed.iter().position(|timer| timer.who == who) {
        armed.swap_remove(index);
    }
    if let Some(deadline) = deadline {
        armed.push(Armed { deadline, who });
        drop(armed);
        ring_by(deadline);
    }
}

/// Gives timer `id` a new deadline in nanoseconds of the monotonic clock, or takes it away.
pub fn set(id: TimerId, deadline: Option<u64>) {
    replace(Who::Timer(id.0), deadline);
}

/// The deadline of the running thread, which sleeps.
pub(crate) struct Sleeper {
    thread: &'static Thread,
    deadline: u64,
}

impl Sleeper {
    pub(crate) fn new(thread: &'static Thread, deadline: u64) -> Self {
        Self { thread, deadline }
    }

    /// Has the thread unparked at its deadline.
    pub(crate) fn set(&self) {
        replace(Who::Thread(self.thread), Some(self.deadline));
    }
}

impl Drop for Sleeper {
    fn drop(&mut self) {
        replace(Who::Thread(self.thread), None);
    }
}

/// Unparks the threads whose deadline has passed, and has the alarm ring for the next one.
pub(crate) fn expire() {
    let rings = &RINGS[contracts::processor::number() % MAX_PROCESSORS];
    if rings.load(Ordering::Relaxed) == NEVER {
        return;
    }
    let now = contracts::clock::monotonic();
    if rings.load(Ordering::Relaxed) > now {
        return;
    }
    rings.store(NEVER, Ordering::Relaxed);
    let mut armed = ARMED.lock();
    armed.retain(|timer| match timer.who {
        Who::Thread(thread) if timer.deadline <= now => {
            // A thread takes its deadline back before it goes, under this lock.
            task::unpark(thread);
            false
        }
        _ => true,
    });
    // What the layer above takes out, it sets anew by itself.
    let earliest = armed.iter().map(|timer| timer.deadline).filter(|&deadline| deadline > now).min();
    drop(armed);
    if let Some(next) = earliest.into_iter().chain(schedule::slice_end().filter(|&end| end > now)).min() {
        ring_by(next);
    }
}

/// Removes and returns a timer whose deadline has passed.
pub fn take_expired() -> Option<TimerId> {
    let mut armed = ARMED.lock();
    if armed.is_empty() {
        return None;
    }
    let now = contracts::clock::monotonic();
    let expired = armed.iter().enumerate().find_map(|(index, timer)| match timer.who {
        Who::Timer(id) if timer.deadline <= now => Some((index, TimerId(id))),
        _ => None,
    });
    let (index, id) = expired?;
    armed.swap_remove(index);
    Some(id)
}
