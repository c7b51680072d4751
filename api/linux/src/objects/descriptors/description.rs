//! An open file description (open(2)): what duplicates of a descriptor share.

use alloc::{boxed::Box, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicU32, Ordering};

use kernel::task::{self, Waited};
use linux_abi::{
    Errno,
    constants::{
        O_ACCMODE, O_APPEND, O_ASYNC, O_DIRECT, O_DSYNC, O_NOATIME, O_NONBLOCK, O_PATH, O_RDONLY, O_SYNC, O_WRONLY,
        SIGPIPE,
    },
};
use sync::Mutex;
use vfs::{
    Cursor, FileError, Found, Kind, Node, Readiness, Seeking, Source,
    pipe::PipeEnd,
    socket::Socket,
    watch::{ACCESS, MODIFIED},
};

use crate::objects::ability;

use super::{closing::Closing, locking, origin::Origin, watching::Farewell};
use crate::objects::{
    errors::{counted, errno},
    events,
    files::{UserSink, UserSource, longest},
};

/// An open file: a node, a position, and status flags.
pub struct Description {
    /// What is open.
    pub node: Arc<dyn Node>,
    /// The node of the tree it was opened by, when another one reads and writes for it (a device, a pipe).
    pub entry: Arc<dyn Node>,
    /// What the node is, and what a position means to it; neither changes.
    pub kind: Kind,
    /// See there.
    pub seeking: Seeking,
    /// Access mode and status flags (O_APPEND, O_NONBLOCK ...).
    flags: AtomicU32,
    /// Where the next read or write of a file happens, or where the next directory entry is read.
    pub position: Mutex<Position>,
    /// Where it came from.
    origin: Origin,
    /// Where it has been moved since. Apart, so that who opens a file does not copy its origin once more.
    moved: Mutex<Option<Box<Origin>>>,
    /// The sets it is watched in (epoll(7)).
    pub closing: Closing,
    /// Goes last.
    farewell: Farewell,
}

impl Drop for Description {
    fn drop(&mut self) {
        self.tell_closed();
        self.farewell.of(&self.entry);
        if ability::watch() {
            self.closing.leave(self);
        }
        if ability::lock_files() {
            locking::LOCKS.release(locking::holder(self), None);
        }
    }
}

/// Where a description stands.
#[derive(Clone, Debug, Default)]
pub struct Position {
    /// In bytes; in entries for a directory.
    pub offset: u64,
    /// For a directory: how far its listing has come, unless that is to be found by counting.
    pub cursor: Option<Cursor>,
}

/// What fcntl(F_SETFL) may change.
const CHANGEABLE: u32 = O_APPEND | O_NONBLOCK | O_ASYNC | O_NOATIME;

/// Beside the flags: opening made the file (F_CREATED_QUERY). Not among those that are shown.
pub const CREATED: u32 = 1 << 31;

impl Description {
    /// A new description of `node`, found in the tree as `entry`.
    #[must_use]
    pub fn new(node: Arc<dyn Node>, entry: Arc<dyn Node>, flags: u32, origin: Origin) -> Arc<Self> {
        let (kind, seeking) = (node.kind(), node.seeking());
        let (flags, position, closing) = (AtomicU32::new(flags), Mutex::default(), Closing::default());
        let moved = Mutex::new(None);
        Arc::new(Self {
            node,
            entry,
            kind,
            seeking,
            flags,
            position,
            origin,
            moved,
            closing,
            farewell: Farewell::default(),
        })
    }

    /// Its absolute path, or the name that `/proc/self/fd` has for what has none.
    #[must_use]
    pub fn path(&self) -> Vec<u8> {
        self.origin().path(&self.entry)
    }

    /// Where it came from, or has been moved since.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.moved.lock().as_deref().unwrap_or(&self.origin).clone()
    }

    /// Follows its node, which has moved from one place to the other, if it was opened by the name that has gone.
    pub fn follow(&self, from: &Found, to: &Found) {
        let mut origin = self.origin();
        if origin.follow(from, to) {
            *self.moved.lock() = Some(Box::new(origin));
        }
    }

    /// Access mode and status flags.
    pub fn flags(&self) -> u32 {
        self.flags.load(Ordering::Relaxed) & !CREATED
    }

    /// Changes the status flags that may be changed. A pipe's end keeps writes apart with O_DIRECT.
    pub fn set_flags(&self, flags: u32) {
        let mut changeable = CHANGEABLE;
        if let Ok(end) = events::of::<PipeEnd>(self) {
            changeable |= O_DIRECT;
            end.keep_packets(flags & O_DIRECT != 0);
        }
        self.flags.store(self.flags.load(Ordering::Relaxed) & !changeable | flags & changeable, Ordering::Relaxed);
    }

    /// Whether opening it made its file.
    pub fn is_created(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & CREATED != 0
    }

    /// Whether calls that would wait answer EAGAIN.
    pub fn is_nonblocking(&self) -> bool {
        self.flags() & O_NONBLOCK != 0
    }

    /// Whether it has a position that means something.
    pub fn is_seekable(&self) -> bool {
        self.seeking != Seeking::Stream
    }

    /// ESPIPE if positions mean nothing to it: that comes before EBADF, as on Linux.
    pub fn check_positions(&self) -> Result<(), Errno> {
        if self.is_seekable() { Ok(()) } else { Err(Errno::ESPIPE) }
    }

    /// EBADF unless it was opened for reading.
    pub fn check_readable(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if flags & O_PATH != 0 || flags & O_ACCMODE == O_WRONLY { Err(Errno::EBADF) } else { Ok(()) }
    }

    /// EBADF unless it was opened for writing.
    pub fn check_writable(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if flags & O_PATH != 0 || flags & O_ACCMODE == O_RDONLY { Err(Errno::EBADF) } else { Ok(()) }
    }

    /// read(2): at the position, which moves.
    pub fn read(&self, sink: &mut UserSink) -> crate::Result {
        self.check_readable()?;
        let count = match self.seeking {
            Seeking::Bytes => {
                sink.set_quiet(self.flags() & O_NOATIME != 0);
                let mut position = self.position.lock();
                let count = self.node.read_at(position.offset, sink).map_err(errno)?;
                position.offset = position.offset.saturating_add(count as u64);
                count
            }
            // Without the lock: what has no end may be read for seconds.
            Seeking::Anywhere => self.node.read_at(0, sink).map_err(errno)?,
            Seeking::Stream => {
                let (waits, deadline) = self.patience(false);
                let is_ready = |ready: Readiness| ready.readable || ready.hangup;
                self.until(waits, deadline, is_ready, &mut || self.node.read_at(0, sink))?
            }
        };
        self.tell_moved(count, ACCESS);
        sink.answer(count)
    }

    /// write(2): at the position, or behind the end with O_APPEND. A stream takes all, waiting for room.
    pub fn write(&self, source: &mut UserSource) -> crate::Result {
        self.check_writable()?;
        let count = self.write_signalling(source)?;
        self.tell_moved(count, MODIFIED);
        source.answer(count)
    }

    /// Writes from any source, with the signal that a broken pipe brings.
    pub fn write_signalling(&self, source: &mut dyn Source) -> crate::Result {
        self.write_from(source).map_err(|error| self.broken(error))
    }

    /// EPIPE comes with SIGPIPE, but not from a socket that keeps messages apart.
    fn broken(&self, error: Errno) -> Errno {
        let keeps = self.kind == Kind::Socket && events::of::<Socket>(self).is_ok_and(Socket::keeps_messages);
        if keeps { error } else { broken_pipe(error) }
    }

    /// Writes from any source, without the signal that a broken pipe brings.
    pub fn write_from(&self, source: &mut dyn Source) -> crate::Result {
        if self.is_seekable() { self.write_here(source) } else { self.write_all(source) }
    }

    fn write_here(&self, source: &mut dyn Source) -> crate::Result {
        let mut position = self.position.lock();
        let (count, end) = if self.flags() & O_APPEND != 0 {
            self.append(source)?
        } else {
            let count = self.put_at(position.offset, source)?;
            (count, position.offset.saturating_add(count as u64))
        };
        position.offset = end;
        self.settle()?;
        Ok(count)
    }

    fn write_all(&self, source: &mut dyn Source) -> crate::Result {
        let (waits, deadline) = self.patience(true);
        self.write_whole(source, waits, deadline, &mut |source| self.node.write_at(0, source))
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
            let result = self.until(waits, deadline, |ready| ready.writable || ready.error || ready.hangup, attempt);
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
        sink.set_quiet(self.flags() & O_NOATIME != 0);
        let count = counted(self.node.read_at(offset, sink))?;
        self.tell_moved(count, ACCESS);
        sink.answer(count)
    }

    /// pwrite(2): as [`Description::read_at`]. A file opened with O_APPEND is appended to all the same, as on Linux.
    pub fn write_at(&self, source: &mut UserSource, offset: u64) -> crate::Result {
        self.check_positions()?;
        self.check_writable()?;
        let count = if self.flags() & O_APPEND != 0 { self.append(source)?.0 } else { self.put_at(offset, source)? };
        self.settle()?;
        self.tell_moved(count, MODIFIED);
        source.answer(count)
    }

    /// What has just been written lasts before the call answers, if the file was opened so.
    fn settle(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if flags & O_DSYNC == 0 { Ok(()) } else { self.node.sync(flags & O_SYNC == O_SYNC).map_err(errno) }
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
        let deadline = if self.kind == Kind::Socket { self.socket_deadline(sends) } else { None };
        (!self.is_nonblocking(), deadline)
    }

    #[inline(never)]
    fn socket_deadline(&self, sends: bool) -> Option<u64> {
        let length = events::of::<Socket>(self).ok()?.patience(sends);
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
        let mut result = attempt();
        if result != Err(FileError::WouldBlock) {
            return counted(result);
        }
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
        crate::objects::signals::raise(SIGPIPE);
    }
    error
}
