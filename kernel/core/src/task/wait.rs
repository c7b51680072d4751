//! Waiting: for a condition, a deadline, or an interruption, whichever comes first.
//!
//! Unsafe: a thread's waker is a bare pointer to it.
#![allow(unsafe_code)]

use alloc::sync::Arc;
use core::{
    pin::pin,
    task::{RawWaker, RawWakerVTable, Waker},
};

use sync::{Stay, WaitQueue, Waiter};

use super::{
    Thread, current,
    look::{look, look_unless_told},
    park, preempt, schedule, unpark,
};
use crate::timer::{self, Expire};

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited<R> {
    /// The condition came true with this value.
    Ready(R),
    /// The deadline passed first.
    TimedOut,
    /// A signal is to be delivered.
    Interrupted,
}

/// Those who wait for what comes from outside of the machine, or for what has no queue of its own: they look again
/// after each interruption.
static OUTSIDE: WaitQueue = WaitQueue::new();

/// The queue of those who wait for what comes from outside of the machine.
#[must_use]
pub fn outside() -> &'static WaitQueue {
    &OUTSIDE
}

/// Takes in what came: expired timers, packets, signals and input from outside. Does not wait. [`preempt`] is to
/// follow.
pub(crate) fn work() {
    schedule::taking_in(&mut || {
        timer::expire(schedule::slice_end);
        look();
        contracts::application::work();
        OUTSIDE.wake_all();
    });
}

/// In the middle of a call that may take long, where no lock is held: takes in what came meanwhile, and has another
/// thread run first if one should. Whether the call is interrupted.
pub fn breathe() -> bool {
    work();
    preempt();
    current().is_interrupted()
}

/// As [`wait_until`], for a condition with a value.
pub fn wait<R>(queue: Option<&WaitQueue>, deadline: Option<u64>, mut ready: impl FnMut() -> Option<R>) -> Waited<R> {
    let mut value = None;
    let waited = wait_until(queue, deadline, &mut || {
        value = ready();
        value.is_some()
    });
    match (waited, value) {
        (_, Some(value)) => Waited::Ready(value),
        (Waited::Interrupted, None) => Waited::Interrupted,
        (_, None) => Waited::TimedOut,
    }
}

/// Waits until `ready` holds, until `deadline` (nanoseconds of the monotonic clock), or until the thread is
/// interrupted. `ready` is asked at least once, also when the deadline has passed already, and again whenever `queue`
/// is woken; without a queue, after each interruption of the machine.
pub fn wait_until(queue: Option<&WaitQueue>, deadline: Option<u64>, ready: &mut dyn FnMut() -> bool) -> Waited<()> {
    if ready() {
        return Waited::Ready(());
    }
    wait_more(queue, deadline, ready)
}

/// As [`wait_until`], for who has asked just now: `ready` is asked again only once `queue` would wake.
pub fn wait_more(queue: Option<&WaitQueue>, deadline: Option<u64>, ready: &mut dyn FnMut() -> bool) -> Waited<()> {
    let waiter = pin!(Waiter::new(queue.unwrap_or(&OUTSIDE), borrowed_waker(current()), Stay::Once));
    sleep_until(deadline, &mut || {
        waiter.as_ref().enter();
        ready()
    })
}

/// Waits until `ready` holds, whatever happens: it is asked again whenever `queue` is woken.
pub fn sleep_on(queue: &WaitQueue, ready: &mut dyn FnMut() -> bool) {
    let waiter = pin!(Waiter::new(queue, borrowed_waker(current()), Stay::Once));
    loop {
        waiter.as_ref().enter();
        if ready() {
            return;
        }
        park();
    }
}

/// Sleeps until unparked or until `deadline`; may come back without a reason. `false` if the deadline has passed.
pub fn sleep_once(deadline: u64) -> bool {
    if contracts::clock::monotonic() >= deadline {
        return false;
    }
    let alarm: Arc<dyn Expire> = current().handle();
    timer::set(&alarm, Some(deadline));
    park();
    timer::stop(&alarm);
    true
}

/// Waits until `ready` holds, which is asked whenever this thread is unparked; until `deadline`, or an interruption.
pub fn sleep_until(deadline: Option<u64>, ready: &mut dyn FnMut() -> bool) -> Waited<()> {
    let thread = current();
    let mut alarm: Option<Arc<dyn Expire>> = None;
    let waited = loop {
        if ready() {
            break Waited::Ready(());
        }
        if thread.is_interrupted() {
            break Waited::Interrupted;
        }
        if let Some(deadline) = deadline {
            if contracts::clock::monotonic() >= deadline {
                // Who has waited has idled, or was interrupted: all was taken in. Who only asks may do so for ever.
                let came = alarm.is_none() && look_unless_told() && ready();
                break if came { Waited::Ready(()) } else { Waited::TimedOut };
            }
            timer::set(alarm.get_or_insert_with(|| thread.handle()), Some(deadline));
        }
        park();
    };
    if let Some(alarm) = alarm {
        timer::stop(&alarm);
    }
    waited
}

/// A waker of the running thread that keeps it alive.
#[must_use]
pub fn waker() -> Waker {
    // SAFETY: the table takes pointers of `Arc::into_raw`.
    unsafe { Waker::from_raw(owning(Arc::into_raw(current().handle()).cast())) }
}

/// A waker that does not keep the thread alive: for queues on its own stack.
pub(super) fn borrowed_waker(thread: &Thread) -> Waker {
    static BORROWED: RawWakerVTable = RawWakerVTable::new(clone, wake_by_reference, wake_by_reference, |_| {});
    // SAFETY: the table takes pointers to threads that live as long as the waker, which is on the thread's stack.
    unsafe { Waker::from_raw(RawWaker::new(core::ptr::from_ref(thread).cast(), &BORROWED)) }
}

fn owning(thread: *const ()) -> RawWaker {
    static OWNING: RawWakerVTable = RawWakerVTable::new(
        clone,
        |thread| {
            wake_by_reference(thread);
            release(thread);
        },
        wake_by_reference,
        release,
    );
    RawWaker::new(thread, &OWNING)
}

fn clone(thread: *const ()) -> RawWaker {
    // SAFETY: as in `wake_by_reference`.
    let thread = unsafe { &*thread.cast::<Thread>() };
    owning(Arc::into_raw(thread.handle()).cast())
}

fn wake_by_reference(thread: *const ()) {
    // SAFETY: who has a waker has a thread that lives: it owns it, or is on its stack.
    unpark(unsafe { &*thread.cast::<Thread>() });
}

fn release(thread: *const ()) {
    // SAFETY: an owning waker came from `Arc::into_raw`.
    drop(unsafe { Arc::from_raw(thread.cast::<Thread>()) });
}
