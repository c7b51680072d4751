//! Threads that wait for each other.

use core::fmt;

use kernel::task::Threads;

/// Opens when so many threads have come, and can be used again.
pub struct Barrier(sync::blocking::Barrier<Threads>);

/// Whether a thread was the last to come.
#[derive(Debug)]
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Whether it was.
    #[must_use]
    pub const fn is_leader(&self) -> bool {
        self.0
    }
}

impl Barrier {
    /// For so many threads.
    #[must_use]
    pub const fn new(count: usize) -> Self {
        Self(sync::blocking::Barrier::new(count as u32))
    }

    /// Waits for the others.
    pub fn wait(&self) -> BarrierWaitResult {
        BarrierWaitResult(self.0.wait())
    }
}

impl fmt::Debug for Barrier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Barrier").finish_non_exhaustive()
    }
}
