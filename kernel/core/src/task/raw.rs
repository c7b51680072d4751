//! The kernel's locks by the traits of `lock_api`, which puts values behind them.
//!
//! Unsafe: the traits promise exclusion, and `sync::blocking` keeps it.
#![allow(unsafe_code)]

use lock_api::{GuardNoSend, GuardSend};
use sync::blocking::{Lock, ReadWriteLock};

use super::Threads;

/// A lock of [`lock_api::Mutex`].
#[derive(Debug, Default)]
pub struct RawMutex(Lock<Threads>);

// SAFETY: between `lock` (or a `try_lock` that succeeded) and `unlock` no other one succeeds.
unsafe impl lock_api::RawMutex for RawMutex {
    const INIT: Self = Self(Lock::new());
    type GuardMarker = GuardNoSend;

    #[inline]
    fn lock(&self) {
        self.0.acquire();
    }

    #[inline]
    fn try_lock(&self) -> bool {
        self.0.try_acquire()
    }

    #[inline]
    unsafe fn unlock(&self) {
        self.0.release();
    }
}

/// A lock of [`lock_api::RwLock`].
#[derive(Debug, Default)]
pub struct RawReadWriteLock(ReadWriteLock<Threads>);

// SAFETY: a writer excludes all others, readers exclude writers.
unsafe impl lock_api::RawRwLock for RawReadWriteLock {
    const INIT: Self = Self(ReadWriteLock::new());
    type GuardMarker = GuardSend;

    #[inline]
    fn lock_shared(&self) {
        self.0.read();
    }

    #[inline]
    fn try_lock_shared(&self) -> bool {
        self.0.try_read()
    }

    #[inline]
    unsafe fn unlock_shared(&self) {
        self.0.end_read();
    }

    #[inline]
    fn lock_exclusive(&self) {
        self.0.write();
    }

    #[inline]
    fn try_lock_exclusive(&self) -> bool {
        self.0.try_write()
    }

    #[inline]
    unsafe fn unlock_exclusive(&self) {
        self.0.end_write();
    }
}
