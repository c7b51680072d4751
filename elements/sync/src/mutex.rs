//! Mutual exclusion by spinning: for short work in memory. Who may have to wait under a lock takes a
//! [`crate::SleepMutex`].
//!
//! While there is one processor ([`crate::alone`]) nobody can come in between a look at a lock and its taking, so it is
//! taken by a load and a store: an exchange costs as much time as ten of these.
//!
//! Unsafe: `lock_api` wants a promise that only one has the lock.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, Ordering};

use lock_api::RawMutex;
pub use spin::Once;

use crate::{
    alone::{Alone, is_alone},
    held,
};

/// The lock without what it guards.
#[derive(Debug)]
pub struct Raw(AtomicBool);

// SAFETY: `lock` and `try_lock` come back only after they have changed the word from free to taken: by an exchange, or
// in two steps between which nobody else runs, as `alone` was promised.
unsafe impl RawMutex for Raw {
    const INIT: Self = Self(AtomicBool::new(false));

    type GuardMarker = lock_api::GuardSend;

    // Never inlined: a kernel takes locks at hundreds of places, and the loop is three times as long as a call. For all
    // values alike, so that there is one of it and it is compiled for speed.
    #[inline(never)]
    fn lock(&self) {
        if !self.try_lock() {
            self.wait();
        }
    }

    #[inline(always)]
    fn try_lock(&self) -> bool {
        if is_alone() {
            return self.take();
        }
        let free = self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if free {
            held::one_more();
        }
        free
    }

    #[inline]
    unsafe fn unlock(&self) {
        self.0.store(false, Ordering::Release);
        held::one_less();
    }
}

impl Raw {
    /// Takes the lock where it is free and nobody else can come in between.
    #[inline(always)]
    fn take_alone(&self) -> bool {
        is_alone() && self.take()
    }

    /// Takes it in two steps, where nobody else can come in between.
    #[inline(always)]
    fn take(&self) -> bool {
        // SAFETY: nobody else is there to change it.
        let free = unsafe { !*self.0.as_ptr() };
        if free {
            self.0.store(true, Ordering::Relaxed);
            held::one_more();
        }
        free
    }

    // Apart, so that who finds the lock free saves no registers.
    #[cold]
    #[inline(never)]
    fn wait(&self) {
        // The kernel leaves a thread only where that sleeps, so nobody else can be about to give it back.
        assert!(!is_alone(), "slept with a spin lock");
        // Reading leaves the cache line where it is; only a lock that looks free is asked for again.
        while self.0.load(Ordering::Relaxed) || !self.try_lock() {
            crate::relax();
        }
    }
}

/// Holds a [`Mutex`].
pub type MutexGuard<'a, T> = lock_api::MutexGuard<'a, Raw, T>;

/// Mutual exclusion around a value.
#[derive(Debug, Default)]
pub struct Mutex<T>(lock_api::Mutex<Raw, T>);

impl<T> Mutex<T> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Self {
        Self(lock_api::Mutex::new(value))
    }

    /// Takes the lock, and gives it back when the guard is dropped.
    #[inline(always)]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.0.lock()
    }

    /// As [`Mutex::lock`], for the few places where the call would cost more than what is done under the lock: without
    /// one while there is one processor.
    #[inline(always)]
    pub fn lock_in_line(&self) -> MutexGuard<'_, T> {
        // SAFETY: the lock is not let go of.
        if unsafe { self.0.raw() }.take_alone() {
            // SAFETY: it was taken just now, for this guard.
            return unsafe { self.0.make_guard_unchecked() };
        }
        core::hint::cold_path();
        self.0.lock()
    }

    /// Takes the lock without a call, where there is one processor and nobody holds it: who then need not wait for it
    /// saves no registers either.
    #[inline(always)]
    pub fn try_lock_alone(&self) -> Option<MutexGuard<'_, T>> {
        // SAFETY: the lock is not let go of, and it was taken just now, for this guard.
        unsafe { self.0.raw().take_alone().then(|| self.0.make_guard_unchecked()) }
    }

    /// The same for who knows that there is one processor.
    #[inline(always)]
    pub fn try_lock_while(&self, _: Alone) -> Option<MutexGuard<'_, T>> {
        // SAFETY: the lock is not let go of, and it was taken just now, for this guard: by who is alone.
        unsafe { self.0.raw().take().then(|| self.0.make_guard_unchecked()) }
    }

    /// What it guards, for one who has it to himself.
    #[inline(always)]
    pub fn get_mut(&mut self) -> &mut T {
        self.0.get_mut()
    }

    /// Takes the lock if nobody holds it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock()
    }
}
