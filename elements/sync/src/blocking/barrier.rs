//! Threads that wait for each other.

use super::{Gate, Threads, word};
use crate::atomic::{AtomicU32, Ordering};

/// Opens when so many threads have come, and can be used again.
#[derive(Debug)]
pub struct Barrier<T: Threads> {
    wanted: u32,
    come: AtomicU32,
    /// How often it has opened.
    opened: AtomicU32,
    gate: Gate<T>,
}

impl<T: Threads> Barrier<T> {
    /// For so many threads; 0 is as good as 1.
    #[must_use]
    pub const fn new(wanted: u32) -> Self {
        Self { wanted, come: AtomicU32::new(0), opened: AtomicU32::new(0), gate: Gate::new() }
    }

    /// Waits for the others; whether the caller was the last to come.
    pub fn wait(&self) -> bool {
        let opened = self.opened.load(Ordering::SeqCst);
        if word::add::<T>(&self.come, 1) + 1 < self.wanted {
            self.gate.pass(|| self.opened.load(Ordering::SeqCst) != opened);
            return false;
        }
        word::exchange::<T>(&self.come, 0);
        word::add::<T>(&self.opened, 1);
        self.gate.open(usize::MAX);
        true
    }
}
