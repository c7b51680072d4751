//! Regular files.

use alloc::sync::Arc;

use sync::Mutex;

use super::{Shared, base::Base, pages::Pages};
use crate::{Change, FileError, FileSystem, InPlace, Kind, Metadata, Node, Sink, Source};

/// A file with contents.
pub struct File {
    pub(super) base: Base,
    pages: Mutex<Pages>,
}

impl File {
    /// A file whose contents are `bytes`, at `offset` of the archive.
    pub(super) fn archived(base: Base, bytes: &'static [u8], offset: usize) -> Self {
        Self { base, pages: Mutex::new(Pages::archived(bytes, offset)) }
    }

    /// Gives it other contents, which stand in the archive.
    pub(super) fn fill(&self, bytes: &'static [u8], offset: usize) {
        *self.pages.lock() = Pages::archived(bytes, offset);
    }

    fn write(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let written = self.pages.lock().write(offset, source, self.shared().surroundings)?;
        self.base.touch();
        Ok(written)
    }

    const fn shared(&self) -> &Arc<Shared> {
        &self.base.shared
    }
}

impl Node for File {
    fn kind(&self) -> Kind {
        Kind::Regular
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = self.base.metadata(Kind::Regular);
        let pages = self.pages.lock();
        metadata.size = pages.length();
        metadata.occupied = pages.occupied();
        metadata
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.base.change(change);
        Ok(())
    }

    fn file_system(&self) -> FileSystem {
        self.shared().file_system()
    }

    fn system(&self) -> usize {
        self.base.system()
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        Ok(self.pages.lock().read(offset, sink))
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        Ok(self.write(Some(offset), source)?.0)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.write(None, source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.pages.lock().set_length(length)?;
        self.base.touch();
        Ok(())
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        self.pages.lock().erase(offset, length, self.shared().surroundings)?;
        self.base.touch();
        Ok(())
    }

    fn in_place(&self) -> Option<InPlace> {
        self.pages.lock().in_place()
    }
}
