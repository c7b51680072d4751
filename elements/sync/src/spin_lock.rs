//! A lock of which nothing is left where there is one processor.

use crate::atomic::{AtomicU32, Ordering};

/// A spin lock around a piece of code, for `PROCESSORS` processors that keep interrupts off while they hold it.
///
/// It guards no value of its own: what is done under it is for words (`intrusive::Word`) that tolerate the lack of it.
/// On one processor nobody else can be there, so taking it is no instruction at all.
#[derive(Debug, Default)]
pub struct SpinLock<const PROCESSORS: usize>(AtomicU32);

impl<const PROCESSORS: usize> SpinLock<PROCESSORS> {
    /// A lock that nobody holds.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Takes the lock, and gives it back when the guard is dropped.
    #[inline]
    pub fn lock(&self) -> SpinGuard<'_, PROCESSORS> {
        if PROCESSORS > 1 {
            self.acquire();
        }
        SpinGuard(self)
    }

    fn acquire(&self) {
        while self.0.swap(1, Ordering::Acquire) != 0 {
            // Reading leaves the cache line where it is; only a lock that looks free is asked for again.
            while self.0.load(Ordering::Relaxed) != 0 {
                wait();
            }
        }
    }
}

#[cfg(not(loom))]
fn wait() {
    crate::relax();
}

#[cfg(loom)]
fn wait() {
    loom::thread::yield_now();
}

/// Holds a [`SpinLock`].
#[derive(Debug)]
#[must_use]
pub struct SpinGuard<'a, const PROCESSORS: usize>(&'a SpinLock<PROCESSORS>);

impl<const PROCESSORS: usize> Drop for SpinGuard<'_, PROCESSORS> {
    #[inline]
    fn drop(&mut self) {
        if PROCESSORS > 1 {
            self.0.0.store(0, Ordering::Release);
        }
    }
}
