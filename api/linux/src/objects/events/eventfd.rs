//! A number that is added to and taken: eventfd(2).

use sync::{Mutex, WaitQueue};
use vfs::{FileError, Node, Readiness, Sink, Source};

use super::{NOTHING, give};

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
        if sink.room() < size_of::<u64>() {
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
        const BYTES: usize = size_of::<u64>();
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

    fn readiness(&self) -> Readiness {
        let value = self.state.lock().value;
        Readiness { readable: value > 0, writable: value < MOST, ..NOTHING }
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        Some(&self.queue)
    }
}
