//! A file that is open. Its end is what the server and other programs there are to see: the last writer's fid goes.

use alloc::sync::Arc;
use core::ops::Range;

use vfs::{Change, FileError, FilePages, FileSystem, Kind, Metadata, Moved, Node, ShortSink, Sink, Source};

use crate::{fid::Fid, item::Item};

/// One opening of a file.
pub struct Handle {
    pub item: Arc<Item>,
    /// Kept, so that writes go through it.
    pub writer: Option<Arc<Fid>>,
}

/// The node as one of ours, however it was opened.
pub fn item(node: &dyn Node) -> Option<&Item> {
    let any: &dyn core::any::Any = node;
    any.downcast_ref().or_else(|| any.downcast_ref::<Handle>().map(|handle| &*handle.item))
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.writer.is_some() {
            // fsync(2) and msync(2) tell errors; close(2) does not wait for them.
            let _ = self.item.settle();
        }
    }
}

impl Node for Handle {
    fn kind(&self) -> Kind {
        self.item.kind()
    }

    fn metadata(&self) -> Metadata {
        self.item.metadata()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.item.change(change)
    }

    fn file_system(&self) -> FileSystem {
        Node::file_system(&*self.item)
    }

    fn system(&self) -> usize {
        Node::system(&*self.item)
    }

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        self.item.open(read, write)
    }

    fn has_short_ways(&self) -> bool {
        self.item.has_short_ways()
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        self.item.read_short(offset, count, sink)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.item.read_at(offset, sink)
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.item.write_at(offset, source)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.item.append(source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.item.set_length(length)
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.item.erase(offset, length)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        self.item.pages()
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        self.item.sync(metadata)
    }

    fn flush(&self, pages: Range<u64>) -> Result<(), FileError> {
        self.item.flush(pages)
    }
}
