//! Many readers or one writer.

use super::{Gate, Threads, word};
use crate::atomic::AtomicU32;

/// Readers share it, a writer has it alone. Who comes first is not kept: readers pass a writer that waits.
#[derive(Debug, Default)]
pub struct ReadWriteLock<T: Threads> {
    /// How many read; [`WRITER`] for one that writes.
    readers: AtomicU32,
    gate: Gate<T>,
}

const WRITER: u32 = u32::MAX;

impl<T: Threads> ReadWriteLock<T> {
    /// Nobody holds it.
    #[must_use]
    pub const fn new() -> Self {
        Self { readers: AtomicU32::new(0), gate: Gate::new() }
    }

    /// Takes it for reading, if nobody writes.
    #[inline]
    pub fn try_read(&self) -> bool {
        word::update::<T>(&self.readers, |readers| (readers < WRITER - 1).then(|| readers + 1))
    }

    /// Takes it for reading, when nobody writes.
    #[inline]
    pub fn read(&self) {
        if !self.try_read() {
            self.gate.pass(|| self.try_read());
        }
    }

    /// Takes it for writing, if nobody holds it.
    #[inline]
    pub fn try_write(&self) -> bool {
        word::update::<T>(&self.readers, |readers| (readers == 0).then_some(WRITER))
    }

    /// Takes it for writing, when nobody holds it.
    #[inline]
    pub fn write(&self) {
        if !self.try_write() {
            self.gate.pass(|| self.try_write());
        }
    }

    /// A reader gives it back.
    #[inline]
    pub fn end_read(&self) {
        if word::add::<T>(&self.readers, u32::MAX) == 1 {
            self.gate.open(usize::MAX);
        }
    }

    /// The writer gives it back.
    #[inline]
    pub fn end_write(&self) {
        word::exchange::<T>(&self.readers, 0);
        self.gate.open(usize::MAX);
    }
}
