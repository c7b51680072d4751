//! An open text of a table.

use alloc::vec::Vec;

use sync::Mutex;

use crate::{FileError, Kind, Metadata, Node, Sink, Source};

/// A text as it was when it was last read from its beginning: a program that reads it in pieces reads one text.
pub(super) struct Text {
    write: fn(&mut Vec<u8>),
    bytes: Mutex<Option<Vec<u8>>>,
}

impl Text {
    pub(super) const fn new(write: fn(&mut Vec<u8>)) -> Self {
        Self { write, bytes: Mutex::new(None) }
    }
}

impl Node for Text {
    fn kind(&self) -> Kind {
        Kind::Regular
    }

    fn metadata(&self) -> Metadata {
        Metadata::new(Kind::Regular, 0o444)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut bytes = self.bytes.lock();
        if offset == 0 || bytes.is_none() {
            let mut fresh = Vec::new();
            (self.write)(&mut fresh);
            *bytes = Some(fresh);
        }
        let bytes = bytes.as_deref().unwrap_or_default();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        Ok(sink.put(&bytes[start..]))
    }

    fn write_at(&self, _offset: u64, _source: &mut dyn Source) -> Result<usize, FileError> {
        Err(FileError::Failed)
    }

    fn set_length(&self, _length: u64) -> Result<(), FileError> {
        Ok(())
    }
}
