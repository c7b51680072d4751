//! Counted permits.

use super::{Gate, Threads, word};
use crate::atomic::AtomicU32;

/// So many permits; who finds none waits.
#[derive(Debug)]
pub struct Semaphore<T: Threads> {
    permits: AtomicU32,
    gate: Gate<T>,
}

impl<T: Threads> Semaphore<T> {
    /// With so many permits.
    #[must_use]
    pub const fn new(permits: u32) -> Self {
        Self { permits: AtomicU32::new(permits), gate: Gate::new() }
    }

    /// Takes a permit, if there is one.
    #[inline]
    pub fn try_acquire(&self) -> bool {
        word::update::<T>(&self.permits, |permits| permits.checked_sub(1))
    }

    /// Takes a permit, when there is one.
    #[inline]
    pub fn acquire(&self) {
        if !self.try_acquire() {
            self.gate.pass(|| self.try_acquire());
        }
    }

    /// The same until `deadline`, in nanoseconds of the monotonic clock; `false` if that came first.
    pub fn acquire_until(&self, deadline: u64) -> bool {
        self.try_acquire() || self.gate.pass_until(deadline, || self.try_acquire())
    }

    /// Gives a permit; the longest waiting looks again. At most 2^32 - 1 are kept.
    #[inline]
    pub fn release(&self) {
        word::update::<T>(&self.permits, |permits| permits.checked_add(1));
        self.gate.open(1);
    }
}
