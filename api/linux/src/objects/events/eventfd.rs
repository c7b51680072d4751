//! A number that is added to and taken: eventfd(2).

use sync::{Mutex, WaitQueue};
use vfs::{FileError, Moved, Node, Readiness, ShortSink, ShortSource, Sink, Source};

use super::give;

/// A counter.
pub struct EventFd {
    state: Mutex<State>,
    /// A read takes one at a time (EFD_SEMAPHORE).
    is_semaphore: bool,
    queue: WaitQueue,
}

struct State {
    value: u64,
    /// Somebody found no room.
    is_awaited: bool,
}

/// The highest value.
const MOST: u64 = u64::MAX - 1;
/// What is written and read.
const BYTES: usize = size_of::<u64>();

impl EventFd {
    /// One with this value.
    #[must_use]
    pub const fn new(value: u64, is_semaphore: bool) -> Self {
        Self { state: Mutex::new(State { value, is_awaited: false }), is_semaphore, queue: WaitQueue::new() }
    }
}

impl Node for EventFd {
    nameless_stream!(Still);

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if sink.room() < BYTES {
            return Err(FileError::Invalid);
        }
        let mut state = self.state.lock();
        if state.value == 0 {
            return Err(FileError::WouldBlock);
        }
        // Who waits for something to read has nothing to hear of this (EPOLLET).
        let wakes = core::mem::take(&mut state.is_awaited) || state.value == MOST;
        let taken = if self.is_semaphore { 1 } else { state.value };
        state.value -= taken;
        drop(state);
        if wakes {
            self.queue.wake_all();
        }
        give(taken, sink)
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        if source.left() < BYTES {
            return Err(FileError::Invalid);
        }
        let Some(added) = source.take_word() else { return Ok(0) };
        if added == u64::MAX {
            return Err(FileError::Invalid);
        }
        let mut state = self.state.lock();
        if MOST - state.value < added {
            state.is_awaited = true;
            source.give_back(BYTES);
            return Err(FileError::WouldBlock);
        }
        state.value += added;
        drop(state);
        self.queue.wake_all();
        // What is behind the number is not looked at.
        source.skip();
        Ok(BYTES)
    }

    fn has_short_ways(&self) -> bool {
        true
    }

    fn read_short(&self, _offset: u64, count: usize, sink: ShortSink) -> Moved {
        if count != BYTES || self.is_semaphore {
            return None;
        }
        let mut state = self.state.lock_in_line();
        if state.value == 0 || state.value == MOST || state.is_awaited {
            return None;
        }
        let moved = sink.put(&state.value.to_ne_bytes())?;
        state.value = 0;
        Some(moved)
    }

    fn write_short(&self, _offset: u64, count: usize, source: ShortSource) -> Moved {
        let mut added = [0; BYTES];
        if count != BYTES {
            return None;
        }
        let moved = source.fill(&mut added)?;
        let mut state = self.state.lock_in_line();
        let sum = state.value.checked_add(u64::from_ne_bytes(added)).filter(|&sum| sum <= MOST)?;
        state.value = sum;
        drop(state);
        self.queue.wake_all_in_line();
        Some(moved)
    }

    fn readiness(&self) -> Readiness {
        let value = self.state.lock().value;
        Readiness::READABLE.when(value > 0) | Readiness::WRITABLE.when(value < MOST)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.queue)
    }
}
