//! An open file description (open(2)): what duplicates of a descriptor share.

use alloc::{boxed::Box, sync::Arc};
use core::any::Any;
use core::sync::atomic::{AtomicU32, Ordering};

use linux_abi::{Errno, constants::OpenFlags};
use sync::{Direct, Mutex, SleepMutex};
use vfs::{Cursor, Found, Kind, Node, RenameMode, Seeking, pipe::PipeEnd};

use crate::objects::ability;

use super::{closing::Closing, locking, origin::Origin, watching::Farewell};

/// An open file: a node, a position, and status flags.
pub struct Description {
    /// What is open.
    pub node: Direct<dyn Node>,
    /// The node of the tree it was opened by, when another one reads and writes for it (a device, a pipe).
    pub entry: Direct<dyn Node>,
    /// What the node is, and what a position means to it; neither changes.
    pub kind: Kind,
    /// See there.
    pub seeking: Seeking,
    /// Access mode and status flags (O_APPEND, O_NONBLOCK ...).
    flags: AtomicU32,
    /// Where the next read or write of a file happens, or where the next directory entry is read.
    /// Held over reads and writes that go by it, which may wait.
    pub position: SleepMutex<Position>,
    /// Where it came from.
    origin: Origin,
    /// Where it has been moved since. Apart, so that who opens a file does not copy its origin once more.
    moved: Mutex<Option<Box<Origin>>>,
    /// The sets it is watched in (epoll(7)), and who else wants to know of its end.
    pub closing: Closing,
    /// Goes last.
    farewell: Farewell,
}

impl Drop for Description {
    fn drop(&mut self) {
        self.tell_closed();
        self.farewell.of(self.entry.counted());
        if (ability::watch() || ability::own_files())
            && let Some(sets) = self.closing.take()
        {
            sets.leave(self);
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
const CHANGEABLE: OpenFlags =
    OpenFlags::O_APPEND.union(OpenFlags::O_NONBLOCK).union(OpenFlags::O_ASYNC).union(OpenFlags::O_NOATIME);

/// Beside the flags: opening made the file (F_CREATED_QUERY). Not among those that are shown.
pub const CREATED: OpenFlags = OpenFlags::from_bits_retain(1 << 31);
/// Beside the flags: a few bytes may be read by a short way ([`Node::read_short`]). Not shown either.
pub const SHORT_READ: u32 = 1 << 30;
/// The same of writing.
pub const SHORT_WRITE: u32 = 1 << 29;
/// All that is not shown.
const HIDDEN: OpenFlags = OpenFlags::from_bits_retain(CREATED.bits() | SHORT_READ | SHORT_WRITE);

/// Which short ways there are where flags and node are these.
fn short_ways(flags: OpenFlags, node: &dyn Node) -> u32 {
    if !ability::short_ways() || flags.contains(OpenFlags::O_PATH) || !node.has_short_ways() {
        return 0;
    }
    let reads = flags.access() != OpenFlags::O_WRONLY;
    let writes = flags.access() != OpenFlags::O_RDONLY && !flags.intersects(OpenFlags::O_APPEND | OpenFlags::O_DSYNC);
    (if reads { SHORT_READ } else { 0 }) | if writes { SHORT_WRITE } else { 0 }
}

impl Description {
    /// A new description of `node`, found in the tree as `entry`.
    #[must_use]
    pub fn new(node: Arc<dyn Node>, entry: Arc<dyn Node>, flags: OpenFlags, origin: Origin) -> Arc<Self> {
        let (kind, seeking, ways) = (node.kind(), node.seeking(), short_ways(flags, &*node));
        let (flags, position, closing) =
            (AtomicU32::new(flags.bits() | ways), SleepMutex::default(), Closing::default());
        let moved = Mutex::new(None);
        Arc::new(Self {
            node: node.into(),
            entry: entry.into(),
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

    /// Where it came from, or has been moved since.
    #[must_use]
    pub fn origin(&self) -> Origin {
        self.moved.lock().as_deref().unwrap_or(&self.origin).clone()
    }

    /// What was at the first of two places, as they were before a rename, is at the second now.
    pub fn follow_rename(&self, [from, to]: &[Found; 2], mode: RenameMode) {
        let is = |found: &Found| found.node.as_ref().is_some_and(|node| vfs::same(node, self.entry.counted()));
        if is(from) {
            self.follow(from, to);
        } else if mode == RenameMode::Exchange && is(to) {
            self.follow(to, from);
        }
    }

    /// Follows its node, which has moved from one place to the other, if it was opened by the name that has gone.
    fn follow(&self, from: &Found, to: &Found) {
        let mut origin = self.origin();
        if origin.follow(from, to) {
            let left = self.moved.lock().replace(Box::new(origin));
            drop(left);
        }
    }

    /// What is open, if it is of this kind; EINVAL if not.
    pub fn node_as<T: Any>(&self) -> Result<&T, Errno> {
        let node: &dyn Any = &*self.node;
        node.downcast_ref().ok_or(Errno::EINVAL)
    }

    /// Access mode and status flags.
    pub fn flags(&self) -> OpenFlags {
        OpenFlags::from_bits_retain(self.flags.load(Ordering::Relaxed)) - HIDDEN
    }

    /// Whether this short way is open.
    #[inline(always)]
    pub fn has_way(&self, way: u32) -> bool {
        self.flags.load(Ordering::Relaxed) & way != 0
    }

    /// Changes the status flags that may be changed. A pipe's end keeps writes apart with O_DIRECT.
    pub fn set_flags(&self, flags: OpenFlags) {
        let mut changeable = CHANGEABLE;
        if let Ok(end) = self.node_as::<PipeEnd>() {
            changeable |= OpenFlags::O_DIRECT;
            end.keep_packets(flags.contains(OpenFlags::O_DIRECT));
        }
        let kept = OpenFlags::from_bits_retain(self.flags.load(Ordering::Relaxed)) - changeable;
        let new = (kept - (HIDDEN - CREATED)) | flags & changeable;
        self.flags.store(new.bits() | short_ways(new, &*self.node), Ordering::Relaxed);
    }

    /// Whether opening it made its file.
    pub fn is_created(&self) -> bool {
        self.flags.load(Ordering::Relaxed) & CREATED.bits() != 0
    }

    /// Whether calls that would wait answer EAGAIN.
    pub fn is_nonblocking(&self) -> bool {
        self.flags().contains(OpenFlags::O_NONBLOCK)
    }

    /// Whether it has a position that means something.
    pub fn is_seekable(&self) -> bool {
        matches!(self.seeking, Seeking::Bytes | Seeking::Anywhere)
    }

    /// ESPIPE if positions mean nothing to it: that comes before EBADF, as on Linux.
    pub fn check_positions(&self) -> Result<(), Errno> {
        if self.is_seekable() { Ok(()) } else { Err(Errno::ESPIPE) }
    }

    /// EBADF unless it was opened for reading.
    pub fn check_readable(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if flags.contains(OpenFlags::O_PATH) || flags.access() == OpenFlags::O_WRONLY {
            Err(Errno::EBADF)
        } else {
            Ok(())
        }
    }

    /// EBADF unless it was opened for writing.
    pub fn check_writable(&self) -> Result<(), Errno> {
        let flags = self.flags();
        if flags.contains(OpenFlags::O_PATH) || flags.access() == OpenFlags::O_RDONLY {
            Err(Errno::EBADF)
        } else {
            Ok(())
        }
    }
}
