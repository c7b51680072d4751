//! An open end of a pipe.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicBool, Ordering};

use sync::WaitQueue;

use super::{ATOMIC, Pipe, ring::Ring};
use crate::{FileError, Kind, Metadata, Moved, Node, Readiness, Seeking, ShortSink, ShortSource, Sink, Source};

/// An end that reads, writes, or does both. Closing it is dropping it.
pub struct PipeEnd {
    pub(super) pipe: Arc<Pipe>,
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Nobody was at the other end when this one was opened.
    pub(super) alone: bool,
    /// Partners that had come by then.
    pub(super) seen: u64,
    /// What is written here stays apart (O_DIRECT).
    pub(super) packets: AtomicBool,
}

impl PipeEnd {
    /// The pipe it is an end of.
    #[must_use]
    pub const fn pipe(&self) -> &Arc<Pipe> {
        &self.pipe
    }

    /// Has each write from now on taken by a read of its own, in packets of at most [`ATOMIC`] bytes (O_DIRECT), or
    /// not.
    pub fn keep_packets(&self, wanted: bool) {
        self.packets.store(wanted, Ordering::Relaxed);
    }

    /// Shows what a read would get (tee(2)).
    pub fn peek(&self, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let state = self.pipe.state.lock();
        if state.ring.length() == 0 && state.writers > 0 {
            return Err(FileError::WouldBlock);
        }
        Ok(state.ring.peek(sink))
    }
}

impl Drop for PipeEnd {
    fn drop(&mut self) {
        let mut state = self.pipe.state.lock();
        state.readers -= u32::from(self.reads);
        state.writers -= u32::from(self.writes);
        state.both -= u32::from(self.reads && self.writes);
        // What nobody has read goes with the last end, also where the pipe has a name.
        let is_last = state.readers == 0 && state.writers == 0;
        let unread = is_last.then(|| core::mem::replace(&mut state.ring, Ring::new()));
        drop(state);
        drop(unread);
        self.pipe.wake_both();
    }
}

impl Node for PipeEnd {
    fn kind(&self) -> Kind {
        Kind::Pipe
    }

    fn metadata(&self) -> Metadata {
        let Pipe { inode, owner, made, .. } = *self.pipe;
        let mut metadata = Metadata::new(Kind::Pipe, 0o600);
        metadata.inode = inode;
        metadata.owner = owner;
        metadata.set_times(made);
        metadata
    }

    /// Opening an end again (`/proc/self/fd/N`) gives one more end of the same pipe.
    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        let mut end = self.pipe.open(read, write);
        // Whoever made it is not waited for, and may have gone.
        end.alone = false;
        Ok(Some(Arc::new(end)))
    }

    fn has_partner(&self) -> bool {
        let state = self.pipe.state.lock();
        !self.alone
            || self.reads && self.writes
            || (if self.reads { state.writers_ever } else { state.readers_ever }) > self.seen
    }

    fn read_at(&self, _offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut state = self.pipe.state.lock();
        if !self.reads {
            return Err(FileError::BadDescriptor);
        }
        if state.ring.length() == 0 && state.writers > 0 && sink.room() > 0 {
            return Err(FileError::WouldBlock);
        }
        let count = state.ring.read(sink);
        let both = state.both;
        drop(state);
        self.pipe.writers.wake_all();
        if both > 0 {
            self.pipe.readers.wake_all();
        }
        Ok(count)
    }

    fn write_at(&self, _offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        let mut state = self.pipe.state.lock();
        if !self.writes {
            return Err(FileError::BadDescriptor);
        }
        let wanted = source.left();
        if wanted == 0 {
            return Ok(0);
        }
        if state.readers == 0 {
            return Err(FileError::Broken);
        }
        // A short write must not be torn apart, and a packet has a page for itself.
        let packets = self.packets.load(Ordering::Relaxed);
        let least = if packets {
            ATOMIC
        } else if wanted <= ATOMIC {
            wanted
        } else {
            1
        };
        if state.ring.room() < least {
            return Err(FileError::WouldBlock);
        }
        let result = if packets { state.ring.write_packets(source) } else { state.ring.write(source) };
        drop(state);
        self.pipe.readers.wake_all();
        result
    }

    fn has_short_ways(&self) -> bool {
        true
    }

    fn read_short(&self, _offset: u64, count: usize, sink: ShortSink) -> Moved {
        let mut state = self.pipe.state.lock_in_line();
        if !self.reads {
            return None;
        }
        let moved = state.ring.read_short(count, sink)?;
        let both = state.both;
        drop(state);
        self.pipe.writers.wake_all_in_line();
        if both > 0 {
            self.pipe.readers.wake_all();
        }
        Some(moved)
    }

    fn write_short(&self, _offset: u64, count: usize, source: ShortSource) -> Moved {
        let mut state = self.pipe.state.lock_in_line();
        if !self.writes || state.readers == 0 || self.packets.load(Ordering::Relaxed) {
            return None;
        }
        let moved = state.ring.write_short(count, source)?;
        drop(state);
        self.pipe.readers.wake_all_in_line();
        Some(moved)
    }

    fn seeking(&self) -> Seeking {
        Seeking::Stream
    }

    fn readiness(&self) -> Readiness {
        let state = self.pipe.state.lock();
        Readiness::READABLE.when(self.reads && state.ring.length() > 0)
            | Readiness::WRITABLE.when(self.writes && state.ring.room() >= ATOMIC)
            | Readiness::HANGUP.when(self.reads && !self.writes && state.writers == 0)
            | Readiness::ERROR.when(self.writes && state.readers == 0)
    }

    fn wait_queue(&self) -> Option<&WaitQueue> {
        // Who watches the one end hears nothing of what the other end does to it (EPOLLET).
        Some(if self.reads { &self.pipe.readers } else { &self.pipe.writers })
    }

    fn available(&self) -> usize {
        self.pipe.state.lock().ring.length()
    }
}
