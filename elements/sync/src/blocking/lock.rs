//! Mutual exclusion.

use super::{Gate, Threads, word};
use crate::atomic::AtomicU32;

/// One thread at a time.
#[derive(Debug, Default)]
pub struct Lock<T: Threads> {
    held: AtomicU32,
    gate: Gate<T>,
}

impl<T: Threads> Lock<T> {
    /// Nobody holds it.
    #[must_use]
    pub const fn new() -> Self {
        Self { held: AtomicU32::new(0), gate: Gate::new() }
    }

    /// Takes it, if nobody holds it.
    #[inline]
    pub fn try_acquire(&self) -> bool {
        word::update::<T>(&self.held, |held| (held == 0).then_some(1))
    }

    /// Takes it, when nobody holds it.
    #[inline]
    pub fn acquire(&self) {
        if !self.try_acquire() {
            self.gate.pass(|| self.try_acquire());
        }
    }

    /// Gives it back: the longest waiting looks again.
    #[inline]
    pub fn release(&self) {
        word::exchange::<T>(&self.held, 0);
        self.gate.open(1);
    }
}
