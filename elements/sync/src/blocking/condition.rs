//! Waiting for a change of what a lock guards.

use super::{Gate, Threads};

/// A condition variable.
#[derive(Debug, Default)]
pub struct Condition<T: Threads>(Gate<T>);

impl<T: Threads> Condition<T> {
    /// Nobody waits.
    #[must_use]
    pub const fn new() -> Self {
        Self(Gate::new())
    }

    /// Waits to be told, at most until `deadline` (nanoseconds of the monotonic clock); whether it was told. `around`
    /// gets the sleep as a function: it gives the lock back, sleeps, and takes the lock again. Whoever tells while it
    /// has the lock is heard: the thread is in the queue before it gives the lock back.
    #[inline]
    pub fn wait(&self, deadline: Option<u64>, around: impl FnOnce(&mut dyn FnMut())) -> bool {
        self.0.wait_for_opening(deadline, around)
    }

    /// Tells the longest waiting.
    #[inline]
    pub fn tell_one(&self) {
        self.0.open(1);
    }

    /// Tells all who wait.
    #[inline]
    pub fn tell_all(&self) {
        self.0.open(usize::MAX);
    }
}
