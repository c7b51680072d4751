//! The interface of the tree.

use alloc::sync::Arc;
use core::ops::Range;

use vfs::{
    Change, Creation, Cursor, FileError, FilePages, FileSystem, Kind, Listed, Metadata, Moved, Node, Place, Removal,
    RenameMode, ShortSink, Sink, Source,
};

use crate::item::Item;

impl Node for Item {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn metadata(&self) -> Metadata {
        self.metadata()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.change(change)
    }

    fn file_system(&self) -> FileSystem {
        self.volume.file_system()
    }

    fn system(&self) -> usize {
        Arc::as_ptr(&self.volume).addr()
    }

    fn has_short_ways(&self) -> bool {
        self.contents().is_ok()
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        self.contents().ok()?.read_short(offset, count, sink)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.contents()?.read_at(offset, sink)
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.contents()?.write_at(offset, source)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.contents()?.append(source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.contents()?.set_length(length)
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.contents()?.erase(offset, length)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        Some(&**self.contents.as_ref()?)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        self.sync(metadata)
    }

    fn flush(&self, pages: Range<u64>) -> Result<(), FileError> {
        self.contents.as_ref().map_or(Ok(()), |contents| contents.flush(pages))
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        Ok(self.find(name)?)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        self.list(cursor, visit)
    }

    fn place(&self) -> Option<Place> {
        self.place()
    }

    fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        Ok(self.make(name, creation)?)
    }

    fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        self.remove_entry(name, removal)
    }

    fn rename(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        self.move_entry(name, directory, new_name, mode)
    }
}
