//! Mutual exclusion for code that may wait, for a device or for a program's memory, while it holds the lock.
//!
//! An element knows no threads, and yet must let them sleep: whoever has threads says how ([`sleep_by`]), once there is
//! a second one. Before that nobody can hold such a lock when another comes, and who waits for a device polls.
//!
//! A free lock is taken as a [`crate::Mutex`] is, by one exchange, or by a load and a store while there is one
//! processor. Who finds it held marks it and sleeps in one of a few queues, which locks share by their addresses; so a
//! lock is one byte.
//!
//! Unsafe: `lock_api` wants a promise that only one has the lock.
#![allow(unsafe_code)]

use core::{
    ptr,
    sync::atomic::{
        AtomicU8,
        Ordering::{Acquire, Relaxed, Release},
    },
};

use lock_api::RawMutex;
use spin::Once;

use crate::{WaitQueue, is_alone, might_sleep};

/// How threads sleep.
pub trait Sleep: Sync {
    /// Whether the caller may: a thread in the middle of a copy to a program's memory, which has faulted, may not, for
    /// locks are held around the copy.
    fn may_sleep(&self) -> bool;

    /// The caller may not sleep from now on (`true`), or once as often less.
    fn keep_awake(&self, awake: bool);

    /// Sleeps until `ready` holds, which is asked at once and again whenever `queue` is woken.
    fn sleep_on(&self, queue: &WaitQueue, ready: &mut dyn FnMut() -> bool);

    /// The same until a device has made `ready` hold: it is asked again after each interruption of the machine.
    fn sleep_outside(&self, ready: &mut dyn FnMut() -> bool);

    /// Lets others run, and takes in what interrupted the machine.
    fn give_way(&self);
}

static SLEEP: Once<&'static dyn Sleep> = Once::new();

/// Has those who wait sleep from now on, once for all. For a kernel, before its second thread.
pub fn sleep_by(sleep: &'static dyn Sleep) {
    SLEEP.call_once(|| sleep);
}

/// Whether there are, or were, threads that could run while this one waits.
#[must_use]
pub fn has_threads() -> bool {
    SLEEP.is_completed()
}

/// Who lets the caller sleep, if somebody does.
fn sleeper() -> Option<&'static dyn Sleep> {
    SLEEP.get().copied().filter(|sleep| sleep.may_sleep())
}

/// Whether the caller may sleep. Who may not must not wait for what another thread does: that may be one that sleeps.
#[must_use]
pub fn may_sleep() -> bool {
    sleeper().is_some()
}

/// Says that the caller may not sleep, or may again ([`Sleep::keep_awake`]).
pub fn keep_awake(awake: bool) {
    if let Some(sleep) = SLEEP.get() {
        sleep.keep_awake(awake);
    }
}

/// Waits until `ready` holds, which somebody else brings about and then wakes `queue`.
pub fn wait_on(queue: &WaitQueue, ready: &mut dyn FnMut() -> bool) {
    might_sleep();
    match sleeper() {
        Some(sleep) => sleep.sleep_on(queue, ready),
        None => {
            while !ready() {
                crate::relax();
            }
        }
    }
}

/// Looks of those who wait for a device before they sleep. A device that is emulated beside us answers within these
/// more often than not, and to sleep and be interrupted costs as much as some hundred looks.
const LOOKS: u32 = 200;

/// Waits until `ready` holds, which a device brings about. Looks for a moment first; then, where there are threads,
/// `interrupts(true)` is called and this one sleeps; `interrupts(false)` when it does so no longer. If the first
/// answers `false` the device interrupts nobody, and this thread goes on looking while others run.
pub fn wait_for_device(ready: &mut dyn FnMut() -> bool, interrupts: &dyn Fn(bool) -> bool) {
    might_sleep();
    let (mut looks, sleeper) = (0, sleeper());
    while !ready() {
        crate::relax();
        looks += 1;
        let Some(sleep) = sleeper.filter(|_| looks >= LOOKS) else { continue };
        if !interrupts(true) {
            sleep.give_way();
            continue;
        }
        sleep.sleep_outside(ready);
        interrupts(false);
        return;
    }
}

const FREE: u8 = 0;
const HELD: u8 = 1;
/// Held, and somebody sleeps until it is free.
const AWAITED: u8 = 2;

/// Where those sleep who wait for a lock: enough queues that two locks seldom have the same.
static QUEUES: [WaitQueue; 16] = [const { WaitQueue::new() }; 16];

/// The lock without what it guards.
#[derive(Debug)]
pub struct RawSleeping(AtomicU8);

// SAFETY: `lock` and `try_lock` come back only after they have changed the word from free to something else: by an
// exchange, or in two steps between which nobody else runs, as `alone` was promised.
unsafe impl RawMutex for RawSleeping {
    const INIT: Self = Self(AtomicU8::new(FREE));

    type GuardMarker = lock_api::GuardSend;

    // As for `Mutex`: there is one of it.
    #[inline(never)]
    fn lock(&self) {
        might_sleep();
        if !self.take(HELD) {
            self.wait();
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        self.take(HELD)
    }

    #[inline]
    unsafe fn unlock(&self) {
        let before = if is_alone() {
            // SAFETY: nobody else is there to change it.
            let before = unsafe { *self.0.as_ptr() };
            self.0.store(FREE, Relaxed);
            before
        } else {
            self.0.swap(FREE, Release)
        };
        if before == AWAITED {
            self.wake();
        }
    }
}

impl RawSleeping {
    /// Takes the lock if it is free; it is `held` then.
    #[inline(always)]
    fn take(&self, held: u8) -> bool {
        if !is_alone() {
            return self.0.compare_exchange(FREE, held, Acquire, Relaxed).is_ok();
        }
        // SAFETY: nobody else is there to change it.
        let free = unsafe { *self.0.as_ptr() == FREE };
        if free {
            self.0.store(held, Relaxed);
        }
        free
    }

    /// Takes the lock, or has whoever holds it wake the caller.
    fn take_or_mark(&self) -> bool {
        // Others may sleep besides, so it counts as awaited also when it is taken now.
        if is_alone() {
            let free = self.0.load(Relaxed) == FREE;
            self.0.store(AWAITED, Relaxed);
            return free;
        }
        self.0.swap(AWAITED, Acquire) == FREE
    }

    fn queue(&self) -> &'static WaitQueue {
        // Locks of neighbours in a table or a slab are not to meet.
        let place = ptr::from_ref(self).addr();
        &QUEUES[(place >> 4 ^ place >> 9) % QUEUES.len()]
    }

    #[cold]
    #[inline(never)]
    fn wait(&self) {
        wait_on(self.queue(), &mut || self.take_or_mark());
    }

    #[cold]
    #[inline(never)]
    fn wake(&self) {
        self.queue().wake_all();
    }
}

/// Holds a [`SleepMutex`].
pub type SleepGuard<'a, T> = lock_api::MutexGuard<'a, RawSleeping, T>;

/// Mutual exclusion around a value, for code that may wait while it holds the lock. Not to be taken under a spin lock,
/// nor in an interrupt handler.
#[derive(Debug, Default)]
pub struct SleepMutex<T>(lock_api::Mutex<RawSleeping, T>);

impl<T> SleepMutex<T> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Self {
        Self(lock_api::Mutex::new(value))
    }

    /// Takes the lock, and gives it back when the guard is dropped. Sleeps as long as somebody else has it.
    #[inline(always)]
    pub fn lock(&self) -> SleepGuard<'_, T> {
        self.0.lock()
    }

    /// Takes the lock if nobody has it.
    pub fn try_lock(&self) -> Option<SleepGuard<'_, T>> {
        self.0.try_lock()
    }

    /// Does `work` under the lock if nobody has it; `None` too if it answers that. `work` does not wait, so with one
    /// processor nobody comes meanwhile who would have to be woken.
    #[inline(always)]
    pub fn try_with<R>(&self, work: impl FnOnce(&mut T) -> Option<R>) -> Option<R> {
        if !is_alone() {
            core::hint::cold_path();
            return work(&mut *self.try_lock()?);
        }
        // SAFETY: the lock is not let go of but below.
        let raw = unsafe { self.0.raw() };
        // SAFETY: nobody else is there to change it.
        if unsafe { *raw.0.as_ptr() } != FREE {
            core::hint::cold_path();
            return None;
        }
        raw.0.store(HELD, Relaxed);
        // SAFETY: the lock was taken just now, for this reference, which ends before it is given back.
        let result = work(unsafe { &mut *self.0.data_ptr() });
        raw.0.store(FREE, Relaxed);
        result
    }
}
