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
    pub(super) fn new(base: Base) -> Self {
        Self { base, pages: Mutex::new(Pages::default()) }
    }

    /// A file whose contents are `bytes`, at `offset` of the archive.
    pub(super) fn archived(base: Base, bytes: &'static [u8], offset: usize) -> Self {
        Self { base, pages: Mutex::new(Pages::archived(bytes, offset)) }
    }

    /// Gives it other contents, which stand in the archive.
    pub(super) fn fill(&self, bytes: &'static [u8], offset: usize) {
        *self.pages.lock() = Pages::archived(bytes, offset);
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
        let pages = self.pages.lock();
        Metadata { size: pages.length(), occupied: pages.occupied(), ..self.base.metadata(Kind::Regular) }
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.base.change(change);
        Ok(())
    }

    fn file_system(&self) -> FileSystem {
        self.shared().file_system()
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        Ok(self.pages.lock().read(offset, sink))
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        let surroundings = self.shared().surroundings;
        let count = self.pages.lock().write(offset, source, &|bytes| surroundings.has_room(bytes))?;
        self.base.touch();
        Ok(count)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let surroundings = self.shared().surroundings;
        let mut pages = self.pages.lock();
        let end = pages.length();
        let count = pages.write(end, source, &|bytes| surroundings.has_room(bytes))?;
        self.base.touch();
        Ok((count, end + count as u64))
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.pages.lock().set_length(length)?;
        self.base.touch();
        Ok(())
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        let surroundings = self.shared().surroundings;
        self.pages.lock().erase(offset, length, &|bytes| surroundings.has_room(bytes))?;
        self.base.touch();
        Ok(())
    }

    fn in_place(&self) -> Option<InPlace> {
        self.pages.lock().in_place()
    }
}
