//! The interface of the tree.

use alloc::{borrow::Cow, sync::Arc};
use core::ops::Range;

use vfs::{
    Change, Creation, Cursor, FileError, FilePages, FileSystem, Identity, Kind, Listed, Metadata, Moved, Node, Place,
    Removal, RenameMode, ShortSink, Sink, Source,
};

use crate::{handle, item::Item};

impl Node for Item {
    fn kind(&self) -> Kind {
        self.kind()
    }

    fn metadata(&self) -> Metadata {
        self.metadata()
    }

    fn identity(&self) -> Identity {
        (self.share.world.device, self.number())
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.change(change)
    }

    fn file_system(&self) -> FileSystem {
        self.share.client.file_system(&self.fid()).unwrap_or_default()
    }

    fn system(&self) -> usize {
        Arc::as_ptr(&self.share).addr()
    }

    fn open(&self, read: bool, write: bool) -> Result<Option<Arc<dyn Node>>, FileError> {
        self.open(read, write)
    }

    fn has_short_ways(&self) -> bool {
        self.file().is_some()
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        self.file()?.contents.read_short(offset, count, sink)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.file().ok_or_else(|| self.not_contents())?.contents.read_at(offset, sink)
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.changing()?.contents.write_at(offset, source)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.changing()?.contents.append(source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.changing()?.contents.set_length(length)
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.changing()?.contents.erase(offset, length)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        Some(&*self.file()?.contents)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        match self.file() {
            Some(file) => file.contents.sync(metadata),
            None => self.sync_directory(metadata),
        }
    }

    fn flush(&self, pages: Range<u64>) -> Result<(), FileError> {
        let Some(file) = self.file() else { return Ok(()) };
        self.outdate();
        file.contents.flush(pages)
    }

    fn read_link(&self) -> Result<Cow<'static, [u8]>, FileError> {
        self.read_link()
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        Ok(self.lookup(name)?)
    }

    fn list(&self, cursor: &mut Cursor, visit: &mut dyn FnMut(Listed<'_>) -> bool) -> Result<(), FileError> {
        self.list(cursor, visit)
    }

    fn place(&self) -> Option<Place> {
        self.place()
    }

    fn create(&self, name: &[u8], creation: &Creation<'_>) -> Result<Arc<dyn Node>, FileError> {
        Ok(self.create(name, creation)?)
    }

    fn link(&self, name: &[u8], node: &Arc<dyn Node>) -> Result<(), FileError> {
        self.link(name, handle::item(&**node).ok_or(FileError::CrossDevice)?)
    }

    fn remove(&self, name: &[u8], removal: Removal) -> Result<(), FileError> {
        self.remove(name, removal)
    }

    fn rename(
        &self,
        name: &[u8],
        directory: &Arc<dyn Node>,
        new_name: &[u8],
        mode: RenameMode,
    ) -> Result<(), FileError> {
        self.rename(name, handle::item(&**directory).ok_or(FileError::CrossDevice)?, new_name, mode)
    }
}
