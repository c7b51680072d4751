//! Mutual exclusion around a device by one who polls it.
//!
//! Unsafe: `lock_api` wants a promise that only one has the lock.
#![allow(unsafe_code)]

use core::sync::atomic::{
    AtomicBool,
    Ordering::{Acquire, Relaxed, Release},
};

use lock_api::RawMutex;

use crate::sleep::keep_awake;

/// The lock without what it guards.
#[derive(Debug)]
pub struct RawPolling(AtomicBool);

// SAFETY: `lock` and `try_lock` come back only after they have changed the word from free to taken, by an exchange.
unsafe impl RawMutex for RawPolling {
    const INIT: Self = Self(AtomicBool::new(false));

    type GuardMarker = lock_api::GuardNoSend;

    #[inline(never)]
    fn lock(&self) {
        while !self.try_lock() {
            crate::relax();
        }
    }

    fn try_lock(&self) -> bool {
        let taken = self.0.compare_exchange(false, true, Acquire, Relaxed).is_ok();
        if taken {
            keep_awake(true);
        }
        taken
    }

    unsafe fn unlock(&self) {
        self.0.store(false, Release);
        keep_awake(false);
    }
}

/// Holds a [`PollMutex`].
pub type PollGuard<'a, T> = lock_api::MutexGuard<'a, RawPolling, T>;

/// Mutual exclusion around a value, for code that asks a device under the lock and must not sleep there: whoever has it
/// polls for all that he waits for. For what a page fault in the kernel's own copies may need, which cannot sleep
/// either and would wait for ever for one who does.
#[derive(Debug, Default)]
pub struct PollMutex<T>(lock_api::Mutex<RawPolling, T>);

impl<T> PollMutex<T> {
    /// A lock that nobody holds.
    pub const fn new(value: T) -> Self {
        Self(lock_api::Mutex::new(value))
    }

    /// Takes the lock, and gives it back when the guard is dropped. Spins as long as another processor has it.
    pub fn lock(&self) -> PollGuard<'_, T> {
        self.0.lock()
    }
}
