//! The file behind a region.

use alloc::sync::Arc;
use core::{any::Any, fmt, ops::Range};

use pages::Page;

/// Why a file has no page to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPage {
    /// It ends before, or cannot be read (a SIGBUS).
    Missing,
    /// There is no memory for it.
    OutOfMemory,
}

/// Why what was stored into a file's pages could not be brought to where the file stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotKept {
    /// There is no room for it.
    NoRoom,
    /// Its owner may use no more.
    NoQuota,
    /// Anything else.
    Failed,
}

/// A file that a region shows.
pub trait MappedFile: Send + Sync {
    /// Its path, as people are shown it.
    fn path(&self) -> &str;

    /// The numbers of its file system and of itself in it.
    fn numbers(&self) -> (u64, u64);

    /// Whether a shared mapping of it may be written: it was opened for that.
    fn may_write(&self) -> bool;

    /// What is equal for two of these exactly if they show the same pages. It stays the same.
    fn key(&self) -> usize;

    /// The page of that number, about to be stored into with `write`. Asked under the address space's lock, so `None`
    /// if it would have to be waited for: then [`MappedFile::bring`] is to do that.
    fn page(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, NoPage>;

    /// How many pages from that number on, at most `most`, are in memory one behind the other from `address` on, for
    /// one who only reads them; none is made or brought. Asked under the address space's lock.
    fn run(&self, _number: u64, _address: usize, _most: usize) -> usize {
        0
    }

    /// Brings that page to where it need not be waited for, at least for a moment. Asked with nothing locked.
    fn bring(&self, number: u64, write: bool) -> Result<(), NoPage>;

    /// Bytes, if it is shared memory that is attached as a whole and detached so (shmdt(2)).
    fn attached(&self) -> Option<u64> {
        None
    }

    /// What a copy of an address space has in the place of this one (fork(2)); `None` for this one.
    fn copied(&self) -> Option<FileReference> {
        None
    }

    /// Another address space shows it, of which the layer above knows what `space` is.
    fn show_in(&self, space: &dyn Any) {
        let _ = space;
    }

    /// Brings what has been stored into these pages to where the file stays (msync(2)).
    fn flush(&self, pages: Range<u64>) -> Result<(), NotKept>;
}

/// A reference to such a file.
#[derive(Clone)]
pub struct FileReference(pub Arc<dyn MappedFile>);

impl core::ops::Deref for FileReference {
    type Target = dyn MappedFile;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for FileReference {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
    }
}

impl Eq for FileReference {}

impl fmt::Debug for FileReference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.path())
    }
}
