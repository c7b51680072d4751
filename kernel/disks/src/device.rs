//! A disk as a block device that a program has opened.

use core::ops::Range;

use vfs::{FileError, FilePages, Kind, Metadata, Node, Sink, Source};

use crate::disk::Disk;

/// An open block device.
pub struct Device {
    pub disk: &'static Disk,
    /// Its major and minor number.
    pub number: (u32, u32),
}

impl Device {
    /// Linux answers EPERM for a device that is not written to.
    fn check_change(&self) -> Result<(), FileError> {
        if self.disk.geometry().read_only { Err(FileError::NotPermitted) } else { Ok(()) }
    }
}

impl Node for Device {
    fn kind(&self) -> Kind {
        Kind::Block
    }

    fn metadata(&self) -> Metadata {
        let mut metadata = Metadata::new(Kind::Block, if self.disk.geometry().read_only { 0o444 } else { 0o666 });
        metadata.special = self.number;
        metadata.size = self.disk.geometry().bytes();
        metadata
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        self.disk.contents.read_at(offset, sink)
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.check_change()?;
        self.disk.contents.write_at(offset, source)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.check_change()?;
        self.disk.contents.append(source)
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Err(FileError::Invalid)
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        Some(&*self.disk.contents)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        self.disk.contents.sync(metadata)
    }

    fn flush(&self, pages: Range<u64>) -> Result<(), FileError> {
        self.disk.contents.flush(pages)
    }
}
