//! Pipes (pipe(7)).

mod end;
mod ring;

use alloc::sync::Arc;
use core::sync::atomic::AtomicBool;

use sync::{Mutex, WaitQueue};

use crate::{FileError, Owner, Time};
use ring::Ring;

pub use end::PipeEnd;

/// Bytes that a write of at most this many keeps together (PIPE_BUF).
pub const ATOMIC: usize = 4096;
/// Bytes a pipe holds unless told otherwise.
pub const CAPACITY: usize = 65_536;
/// Bytes a pipe may be told to hold (`/proc/sys/fs/pipe-max-size`).
pub const MOST_CAPACITY: usize = 1 << 20;

/// A pipe: what two ends share.
pub struct Pipe {
    state: Mutex<State>,
    /// Those who wait to read, at ends that read.
    readers: WaitQueue,
    /// Those who wait to write, at ends that only write.
    writers: WaitQueue,
    /// Its number, as fstat(2) shows it.
    inode: u64,
    owner: Owner,
    made: Time,
}

struct State {
    ring: Ring,
    readers: u32,
    writers: u32,
    /// Ends that do both, and wait among the readers for either.
    both: u32,
    /// Ends that were ever opened for reading and for writing.
    readers_ever: u64,
    writers_ever: u64,
}

impl Pipe {
    /// A pipe that nobody has opened yet.
    #[must_use]
    pub fn new(inode: u64, owner: Owner, made: Time) -> Arc<Self> {
        let state = State { ring: Ring::new(), readers: 0, writers: 0, both: 0, readers_ever: 0, writers_ever: 0 };
        let (readers, writers) = (WaitQueue::new(), WaitQueue::new());
        Arc::new(Self { state: Mutex::new(state), readers, writers, inode, owner, made })
    }

    /// An end that reads, writes, or does both.
    pub fn open(self: &Arc<Self>, reads: bool, writes: bool) -> PipeEnd {
        let mut state = self.state.lock();
        state.readers += u32::from(reads);
        state.writers += u32::from(writes);
        state.both += u32::from(reads && writes);
        state.readers_ever += u64::from(reads);
        state.writers_ever += u64::from(writes);
        let seen = if reads { state.writers_ever } else { state.readers_ever };
        let alone = if reads { state.writers == 0 } else { state.readers == 0 };
        drop(state);
        self.wake_both();
        PipeEnd { pipe: self.clone(), reads, writes, alone, seen, packets: AtomicBool::new(false) }
    }

    /// Whether somebody has it open for reading.
    #[must_use]
    pub fn has_reader(&self) -> bool {
        self.state.lock().readers > 0
    }

    /// Bytes it holds at most.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.state.lock().ring.capacity()
    }

    /// Bytes that it takes now.
    #[must_use]
    pub fn room(&self) -> usize {
        self.state.lock().ring.room()
    }

    /// Makes it hold at least `wanted` bytes, a power of two of pages; answers how many (F_SETPIPE_SZ).
    pub fn set_capacity(&self, wanted: usize) -> Result<usize, FileError> {
        let capacity = wanted.max(ATOMIC).checked_next_power_of_two().ok_or(FileError::Invalid)?;
        if capacity > MOST_CAPACITY {
            return Err(FileError::NotPermitted);
        }
        self.state.lock().ring.set_capacity(capacity)?;
        self.wake_both();
        Ok(capacity)
    }

    fn wake_both(&self) {
        self.readers.wake_all();
        self.writers.wake_all();
    }
}

#[cfg(test)]
mod tests;
