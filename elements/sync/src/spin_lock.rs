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
        while self.0.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.wait();
        }
    }

    /// Reading leaves the cache line where it is; only a lock that looks free is asked for again.
    #[cfg(not(loom))]
    fn wait(&self) {
        while self.0.load(Ordering::Relaxed) != 0 {
            crate::relax();
        }
    }

    #[cfg(loom)]
    fn wait(&self) {
        loom::thread::yield_now();
    }
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

#[cfg(all(test, not(loom)))]
mod tests {
    extern crate std;

    use super::SpinLock;
    use crate::atomic::{AtomicU64, Ordering::Relaxed};

    /// Each thread adds in two steps, between which only the lock keeps the other away.
    #[test]
    fn one_at_a_time() {
        const EACH: u64 = if cfg!(miri) { 100 } else { 100_000 };
        let (lock, count) = (SpinLock::<2>::new(), AtomicU64::new(0));
        let add = || {
            for _ in 0..EACH {
                let _guard = lock.lock();
                count.store(count.load(Relaxed) + 1, Relaxed);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(add);
            scope.spawn(add);
        });
        assert_eq!(count.load(Relaxed), 2 * EACH);
    }

    #[test]
    fn nothing_is_done_for_one_processor() {
        let lock = SpinLock::<1>::new();
        let _outer = lock.lock();
        let _inner = lock.lock();
        assert_eq!(lock.0.load(Relaxed), 0);
    }
}
