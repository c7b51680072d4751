//! Sleeping and waking: the one primitive that everything which waits is made of.
//!
//! Each thread has a *permit*. [`unpark`] gives it, [`park`] takes it or sleeps until it is there. So a thread that
//! enters a queue, finds nothing and parks cannot miss who found it in the queue meanwhile; what it must bear is
//! to come back without a reason, by a permit that was left over.

use core::sync::atomic::Ordering;

use sched::{Arrival, Leaving};

use super::{
    Thread,
    alone::{put, update},
    current, schedule,
};

/// It runs, or is ready to, and has no permit.
pub(super) const RUNNING: u8 = 0;
/// It has a permit.
const PERMITTED: u8 = 1;
/// It falls asleep: the scheduler may still take it for running.
const PARKING: u8 = 2;
/// It sleeps.
const PARKED: u8 = 3;
/// It fell asleep when a permit came, and takes itself back to the scheduler.
const WOKEN: u8 = 4;

/// Sleeps until somebody unparks this thread; takes a permit that is there already.
pub fn park() {
    take_permit();
}

/// The same, for those who are in a hurry.
#[inline(always)]
pub(super) fn take_permit() {
    let permit = &current().permit;
    if update(permit, |state| (state == RUNNING).then_some(PARKING)).is_err() {
        return put(permit, RUNNING);
    }
    schedule::leave(Leaving::Blocked);
}

/// The scheduler knows that `thread`, which is falling asleep, does not run; `false` if it has a permit already and is
/// to be woken.
#[inline]
pub(super) fn asleep(thread: &Thread) -> bool {
    let asleep = update(&thread.permit, |state| (state == PARKING).then_some(PARKED)).is_ok();
    if !asleep {
        put(&thread.permit, RUNNING);
    }
    asleep
}

/// Whether `thread` sleeps, and nobody has woken it yet.
#[must_use]
pub fn sleeps(thread: &Thread) -> bool {
    thread.permit.load(Ordering::SeqCst) == PARKED
}

/// Gives `thread` its permit: it wakes, or will not sleep next time.
pub fn unpark(thread: &Thread) {
    give_permit(thread);
}

/// The same, for those who are in a hurry.
#[inline(always)]
pub(super) fn give_permit(thread: &Thread) {
    let given = |state| match state {
        RUNNING => Some(PERMITTED),
        PARKING => Some(WOKEN),
        PARKED => Some(RUNNING),
        _ => None,
    };
    if update(&thread.permit, given) == Ok(PARKED) {
        schedule::arrive(thread, Arrival::Woken);
    }
}

#[cfg(test)]
mod tests {
    use alloc::sync::Arc;

    use super::*;
    use crate::task::spawn::boot_thread;

    fn thread(state: u8) -> Arc<Thread> {
        let thread = boot_thread(contracts::processor::boot_stack_top());
        thread.permit.store(state, Ordering::SeqCst);
        thread
    }

    fn state(thread: &Thread) -> u8 {
        thread.permit.load(Ordering::SeqCst)
    }

    #[test]
    fn a_permit_is_kept_for_who_runs_and_is_one() {
        let thread = thread(RUNNING);
        unpark(&thread);
        unpark(&thread);
        assert_eq!((state(&thread), sleeps(&thread)), (PERMITTED, false));
    }

    #[test]
    fn who_falls_asleep_unwoken_sleeps() {
        let thread = thread(PARKING);
        assert!(!sleeps(&thread), "the scheduler may still take it for running");
        assert!(asleep(&thread) && sleeps(&thread));
    }

    #[test]
    fn a_permit_that_comes_while_it_falls_asleep_wakes_it() {
        let thread = thread(PARKING);
        unpark(&thread);
        unpark(&thread);
        assert_eq!(state(&thread), WOKEN);
        assert!(!asleep(&thread), "it takes itself back to the scheduler");
        assert_eq!(state(&thread), RUNNING, "and its permit is taken");
    }
}
