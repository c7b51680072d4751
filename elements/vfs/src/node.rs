//! The trait behind everything that can be opened.

use alloc::{borrow::Cow, boxed::Box, sync::Arc, vec::Vec};
use core::{any::Any, ops::Range};

use sync::{Mutex, WaitQueue};

use crate::{
    Change, Extended, FileError, FilePages, FileSystem, Kind, Metadata, Moved, Owner, ShortSink, ShortSource, Sink,
    Source, Terminal,
};

/// Contents that lie unmodified in the boot archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPlace {
    /// Where they begin there: a multiple of the page size, in bytes.
    pub offset: usize,
    /// Bytes; zeros fill the last page.
    pub length: usize,
}

bitflags::bitflags! {
    /// What can be done to an open node, or to a socket, without waiting: poll(2).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Readiness: u8 {
        /// A read would not wait (POLLIN).
        const READABLE = 0x01;
        /// A write would not wait (POLLOUT).
        const WRITABLE = 0x02;
        /// Something comes before all else (POLLPRI).
        const URGENT = 0x04;
        /// The other end sends no more, or receiving has ended (POLLRDHUP).
        const ENDED = 0x08;
        /// The other end is gone, for a reader; both directions of a socket have ended (POLLHUP).
        const HANGUP = 0x10;
        /// The other end is gone, for a writer; an error of a socket waits to be taken (POLLERR).
        const ERROR = 0x20;
    }
}

impl Readiness {
    /// Files and most devices never wait.
    pub const ALWAYS: Self = Self::READABLE.union(Self::WRITABLE);

    /// These if it `holds`, else nothing; without a branch.
    #[must_use]
    #[inline]
    pub const fn when(self, holds: bool) -> Self {
        Self::from_bits_retain(self.bits() * holds as u8)
    }

    /// Whether a read that had to wait is worth another try.
    #[must_use]
    #[inline]
    pub const fn may_read(self) -> bool {
        self.intersects(Self::READABLE.union(Self::HANGUP))
    }

    /// Whether a write that had to wait is worth another try.
    #[must_use]
    #[inline]
    pub const fn may_write(self) -> bool {
        self.intersects(Self::WRITABLE.union(Self::ERROR).union(Self::HANGUP))
    }
}

/// What a position in a node means (lseek(2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeking {
    /// Bytes of contents.
    Bytes,
    /// Nothing: any position will do and 0 is answered (`/dev/zero`).
    Anywhere,
    /// There is none (pipes, terminals).
    Stream,
    /// There is none, but who asks for one is told 0 (eventfd(2), epoll(7), inotify(7)): Linux' `noop_llseek`.
    Still,
}

/// A directory entry, as a listing shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// The number of its node.
    pub inode: u64,
    /// What it is.
    pub kind: Kind,
}

/// How far a listing has come; the default is its beginning. What is in it concerns only the directory it was used
/// with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The name shown last, of a directory that lists by names; none is empty.
    pub after: Vec<u8>,
    /// What a server or another kernel calls the place behind the entry shown last (`d_off` of getdents(2)).
    pub cookie: u64,
    /// How far the listing of a directory has come that is shown as part of this one.
    pub below: Option<Box<Self>>,
}

/// Where a directory stands in the tree.
#[derive(Clone)]
pub struct Place {
    /// The directory above.
    pub parent: Arc<dyn Node>,
    /// Its name there.
    pub name: Cow<'static, [u8]>,
    /// It has lost that name: the directory above is still `..`, but no path leads here.
    pub removed: bool,
}

/// What to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MakeKind<'a> {
    /// A file without contents.
    File,
    /// A directory.
    Directory,
    /// A symbolic link to this.
    Link(&'a [u8]),
    /// A device, pipe or socket, with major and minor number.
    Special(Kind, (u32, u32)),
}

/// A new node: what, and how it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Creation<'a> {
    /// What.
    pub kind: MakeKind<'a>,
    /// Permissions.
    pub mode: u32,
    /// Whose.
    pub owner: Owner,
}

/// Which kind of entry a removal means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Anything but a directory (unlink).
    File,
    /// An empty directory (rmdir).
    Directory,
}

/// What renaming does to an entry that has the new name already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenameMode {
    /// It goes.
    Replace,
    /// Nothing is renamed ([`FileError::Exists`]).
    Keep,
    /// It gets the old name.
    Exchange,
}

/// What tells a node from all others as long as somebody holds it: the numbers of its file system and its own.
pub type Identity = (u64, u64);

/// A file, directory, link, device or pipe. Methods that a kind does not have answer as Linux does for it.
///
/// Positions and lengths are bytes.
///
/// No method waits for what another program or thread does: that is [`FileError::WouldBlock`], and
/// [`Node::wait_queue`]. But a file may be elsewhere, on a host or a disk, and most methods then wait for that, and the
/// calling thread sleeps meanwhile. So none is called with a spin lock held, but for those that look at memory alone:
/// [`Node::kind`], [`Node::system`], [`Node::seeking`], [`Node::readiness`], [`Node::wait_queue`], [`Node::available`],
/// [`Node::patience`], [`Node::stop_waiting`], [`Node::pages`], [`Node::has_short_ways`], [`Node::read_short`],
/// [`Node::write_short`], [`Node::in_place`], [`Node::extended`] and [`Node::place`]. To drop the last reference to a
/// node may wait too.
pub trait Node: Any + Send + Sync {
    /// What it is; never changes.
    fn kind(&self) -> Kind;

    /// What is known about it.
    fn metadata(&self) -> Metadata;

    /// Its number, which [`Node::metadata`] tells too.
    fn inode(&self) -> u64 {
        self.metadata().inode
    }

    /// What tells it from other nodes, without asking anybody if that can be.
    fn identity(&self) -> Identity {
        let metadata = self.metadata();
        (metadata.device, metadata.inode)
    }

    /// Changes what is known about it.
    fn change(&self, _change: &Change) -> Result<(), FileError> {
        Err(FileError::NotPermitted)
    }

    /// Its extended attributes, if its file system has any. Who changes them says so by [`Node::change`] afterwards.
    fn extended(&self) -> Option<&Mutex<Extended>> {
        None
    }

    /// The file system it is on.
    fn file_system(&self) -> FileSystem {
        FileSystem::default()
    }

    /// Tells file systems apart: the address of what their nodes share. 0 for what is on none.
    fn system(&self) -> usize {
        0
    }

    /// Opens it. `Some` is another node that reads and writes instead: a device, one end of a pipe, the text of a
    /// pseudo file as it is now.
    fn open(&self, _read: bool, _write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        Ok(None)
    }

    /// Whether [`Node::read_short`] or [`Node::write_short`] ever do anything; never changes.
    fn has_short_ways(&self) -> bool {
        false
    }

    /// All that [`Node::read_at`] does for `count` bytes from `offset` on, 1 to 4096, where that is to give `sink`
    /// bytes that lie together in memory; how many. `None` if it is more, or if `sink` answers that it could not:
    /// nothing has happened then. Locks may be held around it and are held around the copy, so neither waits, nor asks
    /// for memory that is not there.
    fn read_short(&self, _offset: u64, _count: usize, _sink: ShortSink) -> Moved {
        None
    }

    /// The same of [`Node::write_at`]: `source` fills all bytes that it is shown. If it answers that it could not, it
    /// may have filled any of them.
    fn write_short(&self, _offset: u64, _count: usize, _source: ShortSource) -> Moved {
        None
    }

    /// Reads from `offset` on; 0 at the end.
    fn read_at(&self, _offset: u64, _sink: &mut dyn Sink) -> Result<usize, FileError> {
        Err(if self.kind() == Kind::Directory { FileError::IsDirectory } else { FileError::Invalid })
    }

    /// Somebody is about to read it by way of a mapping.
    fn note_read(&self) {}

    /// Writes at `offset`; fewer bytes than given if there is no room for all.
    fn write_at(&self, _offset: u64, _source: &mut dyn Source) -> Result<usize, FileError> {
        Err(FileError::Invalid)
    }

    /// Writes behind the last byte; answers the bytes written and the position behind them. What has no length is
    /// written to anywhere.
    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let count = self.write_at(0, source)?;
        Ok((count, count as u64))
    }

    /// Cuts the contents, or fills up with zeros.
    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    /// Makes part of the contents zeros again, without changing the length.
    fn erase(&self, _offset: u64, _length: u64) -> Result<(), FileError> {
        Err(FileError::Unsupported)
    }

    /// The contents as pages, if programs can map them.
    fn pages(&self) -> Option<&dyn FilePages> {
        None
    }

    /// The first byte from `offset` on, which is before the end, that is in a hole, or that is in none; `None` if there
    /// is none of that up to the end. What cannot tell says that all are in none.
    fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        if hole { None } else { Some(offset) }
    }

    /// Brings what has been written to where it stays (fsync(2)); without `metadata`, only what is needed to read the
    /// contents (fdatasync(2)).
    fn sync(&self, _metadata: bool) -> Result<(), FileError> {
        Ok(())
    }

    /// Writes back these pages of [`Node::pages`], as far as programs may have stored into them (msync(2)). They are
    /// where [`Node::sync`] makes them last.
    fn flush(&self, _pages: Range<u64>) -> Result<(), FileError> {
        Ok(())
    }

    /// A handle of the platform that maps these contents by itself, and keeps the mapping true to the file; one that is
    /// not `shared` may miss what is written later.
    fn direct(&self, _shared: bool) -> Option<u32> {
        None
    }

    /// Where the contents lie in the boot archive, as long as nobody has changed them.
    fn in_place(&self) -> Option<InPlace> {
        None
    }

    /// Whether the other end of a named pipe has been opened too; opening waits for that.
    fn has_partner(&self) -> bool {
        true
    }

    /// Whether entries of this directory go, and are replaced, by calls of this machine alone, which say so.
    fn is_settled(&self) -> bool {
        false
    }

    /// What a position means.
    fn seeking(&self) -> Seeking {
        Seeking::Bytes
    }

    /// What would not wait. Asking is also the wish to be woken when that changes.
    fn readiness(&self) -> Readiness {
        Readiness::ALWAYS
    }

    /// Those who wait for [`Node::readiness`] to change; `None` if what changes it comes from outside the machine, or
    /// nothing does.
    fn wait_queue(&self) -> Option<&WaitQueue> {
        None
    }

    /// Bytes that wait to be read from a stream.
    fn available(&self) -> usize {
        0
    }

    /// How long a read, or a write, waits at most, in nanoseconds; 0 is for ever (SO_RCVTIMEO).
    fn patience(&self, _writes: bool) -> u64 {
        0
    }

    /// A wait for this node was given up.
    fn stop_waiting(&self) {}

    /// The terminal behind it.
    fn terminal(&self) -> Option<&dyn Terminal> {
        None
    }

    /// What a symbolic link says.
    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        Err(FileError::Invalid)
    }

    /// The node that a link leads to without a path (`/proc/self/fd/0`).
    fn jump(&self) -> Option<Arc<dyn Node>> {
        None
    }

    /// The entry of that name; `.` and `..` are never asked for.
    fn lookup(&self, _name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::NotDirectory)
    }

    /// Shows the entries behind `cursor`, without `.` and `..`, until `visit` answers `false`, which means that it has
    /// not taken that entry; `cursor` then stands behind the last one taken. `visit` must not touch the tree.
    ///
    /// The order is the directory's own. From a listing's beginning to its end, over several calls, an entry that is
    /// there all the time is shown once, whatever else comes and goes; one that comes or goes meanwhile at most once.
    fn list(&self, _cursor: &mut Cursor, _visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        Err(FileError::NotDirectory)
    }

    /// Where a directory stands in its file system; `None` for a root.
    fn place(&self) -> Option<Place> {
        None
    }

    /// Makes a new entry.
    fn create(&self, _name: &[u8], _creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        Err(if self.kind() == Kind::Directory { FileError::Denied } else { FileError::NotDirectory })
    }

    /// Makes a file without a name on the file system of this directory (O_TMPFILE). It may get its first one by
    /// [`Node::link`] if it is `linkable`.
    fn nameless(&self, _creation: &Creation<'_>, _linkable: bool) -> Result<Arc<dyn Node>, FileError> {
        Err(FileError::Unsupported)
    }

    /// Gives a node one more name.
    fn link(&self, _name: &[u8], _node: &Arc<dyn Node>) -> Result<(), FileError> {
        Err(FileError::NotPermitted)
    }

    /// Removes an entry.
    fn remove(&self, _name: &[u8], _removal: Removal) -> Result<(), FileError> {
        Err(FileError::NotPermitted)
    }

    /// Moves the entry `name` to `new_name` in `directory`.
    fn rename(
        &self,
        _name: &[u8],
        _directory: &Arc<dyn Node>,
        _new_name: &[u8],
        _mode: RenameMode,
    ) -> Result<(), FileError> {
        Err(FileError::CrossDevice)
    }
}

/// A node, held.
pub type NodeReference = Arc<dyn Node>;

/// Whether both are one node.
#[must_use]
pub fn same(one: &Arc<dyn Node>, other: &Arc<dyn Node>) -> bool {
    core::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other))
}
