//! Reading and writing open files: at a position, behind the end, or as a stream, which may be waited for.

use kernel::task::{self, Waited};
use linux_abi::{
    Errno,
    constants::{OpenFlags, SIGPIPE},
};
use vfs::{FileError, Kind, Readiness, Seeking, Source};
use watches::{ACCESS, MODIFIED};

use super::{UserSink, UserSource, longest, typed};
use crate::objects::{
    ability,
    descriptors::Description,
    errors::{counted, errno},
    signals,
};

impl Description {
    /// read(2): at the position, which moves.
    pub fn read(&self, sink: &mut UserSink) -> crate::Result {
        self.check_readable()?;
        let seeking = if ability::files() { self.seeking } else { Seeking::Stream };
        let count = match seeking {
            Seeking::Bytes => {
                sink.set_quiet(self.flags().contains(OpenFlags::O_NOATIME));
                let mut position = self.position.lock();
                let count = self.node.read_at(position.offset, sink).map_err(errno)?;
                position.offset = position.offset.saturating_add(count as u64);
                count
            }
            // Without the lock: what has no end may be read for seconds.
            Seeking::Anywhere => self.node.read_at(0, sink).map_err(errno)?,
            Seeking::Stream | Seeking::Still => match self.node.read_at(0, sink) {
                Err(FileError::WouldBlock) => self.read_later(sink)?,
                result => counted(result)?,
            },
        };
        self.tell_moved(count, ACCESS);
        sink.answer(count)
    }

    /// Reads from a stream that had nothing: waits, if it may.
    #[inline(never)]
    fn read_later(&self, sink: &mut UserSink) -> crate::Result {
        if contracts::config().pseudo_terminals
            && let Some(terminal) = self.node.terminal()
        {
            return typed::read(self, terminal, sink);
        }
        let (waits, deadline) = self.patience(false);
        self.until_later(waits, deadline, Readiness::may_read, &mut || self.node.read_at(0, sink))
    }

    /// write(2): at the position, or behind the end with O_APPEND. A stream takes all, waiting for room.
    pub fn write(&self, source: &mut UserSource) -> crate::Result {
        self.check_writable()?;
        let count = self.write_signalling(source)?;
        self.tell_moved(count, MODIFIED);
        source.answer(count)
    }

    /// Writes from any source, with the signal that a broken pipe brings.
    #[inline(always)]
    pub fn write_signalling(&self, source: &mut dyn Source) -> crate::Result {
        self.write_from(source).map_err(|error| self.broken(error))
    }

    /// EPIPE comes with SIGPIPE, but not from a socket that keeps messages apart.
    #[inline(never)]
    fn broken(&self, error: Errno) -> Errno {
        let keeps = ability::sockets()
            && self.kind == Kind::Socket
            && self.node_as::<unix_sockets::Socket>().is_ok_and(unix_sockets::Socket::keeps_messages);
        if keeps { error } else { broken_pipe(error) }
    }

    /// Writes from any source, without the signal that a broken pipe brings.
    #[inline(always)]
    pub fn write_from(&self, source: &mut dyn Source) -> crate::Result {
        match self.seeking {
            Seeking::Bytes if ability::files() => self.write_here(source),
            // No position counts, and no limit.
            Seeking::Anywhere if ability::files() => counted(self.node.write_at(0, source)),
            _ => self.write_all(source),
        }
    }

    fn write_here(&self, source: &mut dyn Source) -> crate::Result {
        let mut position = self.position.lock();
        let (count, end) = if self.flags().contains(OpenFlags::O_APPEND) {
            self.append(source)?
        } else {
            let count = self.put_at(position.offset, source)?;
            (count, position.offset.saturating_add(count as u64))
        };
        position.offset = end;
        self.settle()?;
        Ok(count)
    }

    /// Nearly always a stream takes all at once.
    #[inline(always)]
    fn write_all(&self, source: &mut dyn Source) -> crate::Result {
        match self.node.write_at(0, source) {
            Ok(count) if source.left() == 0 => Ok(count),
            result => self.write_rest(source, result),
        }
    }

    /// The same behind a first attempt, which has not given all.
    #[inline(never)]
    fn write_rest(&self, source: &mut dyn Source, first: Result<usize, FileError>) -> crate::Result {
        let (waits, deadline) = self.patience(true);
        let mut first = Some(first);
        self.write_whole(source, waits, deadline, &mut |source| {
            first.take().unwrap_or_else(|| self.node.write_at(0, source))
        })
    }

    /// Does `step` until `source` has given all, waiting for room in a stream.
    #[inline(never)]
    pub fn write_whole(
        &self,
        source: &mut dyn Source,
        waits: bool,
        deadline: Option<u64>,
        step: Step<'_>,
    ) -> crate::Result {
        let mut written = 0;
        loop {
            let attempt = &mut || step(source);
            let result = self.until(waits, deadline, Readiness::may_write, attempt);
            match result {
                Ok(count) => written += count,
                Err(_) if written > 0 => return Ok(written),
                Err(error) => return Err(error),
            }
            if source.left() == 0 {
                return Ok(written);
            }
        }
    }

    /// pread(2): at `offset`, leaving the position alone.
    pub fn read_at(&self, sink: &mut UserSink, offset: u64) -> crate::Result {
        self.check_positions()?;
        self.check_readable()?;
        sink.set_quiet(self.flags().contains(OpenFlags::O_NOATIME));
        let count = counted(self.node.read_at(offset, sink))?;
        self.tell_moved(count, ACCESS);
        sink.answer(count)
    }

    /// pwrite(2): as [`Description::read_at`]. A file opened with O_APPEND is appended to all the same, as on Linux.
    pub fn write_at(&self, source: &mut UserSource, offset: u64) -> crate::Result {
        self.check_positions()?;
        self.check_writable()?;
        let count = if self.flags().contains(OpenFlags::O_APPEND) {
            self.append(source)?.0
        } else {
            self.put_at(offset, source)?
        };
        self.settle()?;
        self.tell_moved(count, MODIFIED);
        source.answer(count)
    }

    /// What has just been written lasts before the call answers, if the file was opened so.
    fn settle(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if !flags.contains(OpenFlags::O_DSYNC) {
            Ok(())
        } else {
            self.node.sync(flags.contains(OpenFlags::O_SYNC)).map_err(errno)
        }
    }

    /// Writes at `offset` what the file may hold there.
    pub fn put_at(&self, offset: u64, source: &mut dyn Source) -> crate::Result {
        longest::limited(&*self.node, self.kind, Some(offset), source, |source| {
            counted(self.node.write_at(offset, source))
        })
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), Errno> {
        longest::limited(&*self.node, self.kind, None, source, |source| self.node.append(source).map_err(errno))
    }

    /// Whether a call waits, and until when, as a socket may have been told (SO_RCVTIMEO).
    #[must_use]
    pub fn patience(&self, sends: bool) -> (bool, Option<u64>) {
        let is_socket = ability::sockets() && self.kind == Kind::Socket;
        let deadline = if is_socket { self.socket_deadline(sends) } else { None };
        (!self.is_nonblocking(), deadline)
    }

    #[inline(never)]
    fn socket_deadline(&self, sends: bool) -> Option<u64> {
        let length = self.node.patience(sends);
        (length > 0).then(|| contracts::clock::monotonic().saturating_add(length))
    }

    /// Tries `attempt` until it does not have to wait; `is_ready` says when it is worth trying again.
    #[inline(never)]
    pub fn until(
        &self,
        waits: bool,
        deadline: Option<u64>,
        is_ready: fn(Readiness) -> bool,
        attempt: &mut dyn FnMut() -> Result<usize, FileError>,
    ) -> crate::Result {
        match attempt() {
            Err(FileError::WouldBlock) => self.until_later(waits, deadline, is_ready, attempt),
            result => counted(result),
        }
    }

    /// The same behind an attempt that would have had to wait.
    #[inline(never)]
    pub fn until_later(
        &self,
        waits: bool,
        deadline: Option<u64>,
        is_ready: fn(Readiness) -> bool,
        attempt: &mut dyn FnMut() -> Result<usize, FileError>,
    ) -> crate::Result {
        let mut result = Err(FileError::WouldBlock);
        if !waits {
            self.node.stop_waiting();
            return Err(Errno::EAGAIN);
        }
        // Tried while it is in the queue: one for whom there is too little does not try again before there is more.
        let waited = task::wait_until(self.node.wait_queue(), deadline, &mut || {
            if is_ready(self.node.readiness()) {
                result = attempt();
            }
            result != Err(FileError::WouldBlock)
        });
        if waited == Waited::Ready(()) {
            return counted(result);
        }
        self.node.stop_waiting();
        Err(if waited == Waited::TimedOut { Errno::EAGAIN } else { Errno::ERESTARTSYS })
    }
}

/// Moves some bytes out of a source.
pub type Step<'a> = &'a mut dyn FnMut(&mut dyn Source) -> Result<usize, FileError>;

/// EPIPE comes with SIGPIPE.
pub fn broken_pipe(error: Errno) -> Errno {
    if error == Errno::EPIPE {
        signals::raise(SIGPIPE);
    }
    error
}
