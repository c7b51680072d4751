//! A file of a share that is open.

use alloc::{sync::Arc, vec::Vec};

use vfs::{Change, FileError, FileSystem, Kind, Metadata, Node, Sink, Source};

use super::{Share, convert::file_error, node};
use crate::host::{
    HostError,
    directory::{self as host, Descriptor},
};

/// Bytes copied at a time.
const CHUNK: usize = 64 << 10;

/// An open file.
pub struct HostFile {
    share: Arc<Share>,
    descriptor: Descriptor,
}

impl HostFile {
    /// A file that somebody has opened.
    pub(super) fn new(share: &Arc<Share>, descriptor: Descriptor) -> Self {
        Self { share: share.clone(), descriptor }
    }

    /// Reads into a buffer of ours, as far as that goes.
    fn read(&self, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        loop {
            match host::read_at(&self.descriptor, buffer.as_mut_ptr() as usize, buffer.len(), offset) {
                Err(HostError::INTERRUPTED) => {}
                result => return result.map_err(file_error),
            }
        }
    }

    /// Writes at `offset`, or behind the end.
    fn write(&self, bytes: &[u8], offset: Option<u64>) -> Result<usize, FileError> {
        loop {
            let written = match offset {
                Some(offset) => host::write_at(&self.descriptor, bytes, offset),
                None => host::append(&self.descriptor, bytes),
            };
            match written {
                Err(HostError::INTERRUPTED) => {}
                result => return result.map_err(file_error),
            }
        }
    }

    /// Writes all there is, in parts.
    fn write_all(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<usize, FileError> {
        let mut buffer = buffer(source.left())?;
        let mut done = 0;
        while source.left() > 0 {
            let taken = source.take(&mut buffer);
            let count = match self.write(&buffer[..taken], offset.map(|offset| offset + done as u64)) {
                Err(error) if done == 0 => return Err(error),
                count => count.unwrap_or(0),
            };
            done += count;
            source.give_back(taken - count);
            if count < taken || taken == 0 {
                break;
            }
        }
        Ok(done)
    }
}

/// A buffer for a transfer of so many bytes.
fn buffer(wanted: usize) -> Result<Vec<u8>, FileError> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(wanted.min(CHUNK)).map_err(|_| FileError::NoMemory)?;
    buffer.resize(wanted.min(CHUNK), 0);
    Ok(buffer)
}

impl Node for HostFile {
    fn kind(&self) -> Kind {
        Kind::Regular
    }

    fn metadata(&self) -> Metadata {
        node::metadata(&self.descriptor, Kind::Regular)
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        node::change(&self.share, &self.descriptor, change)
    }

    fn file_system(&self) -> FileSystem {
        node::file_system(&self.descriptor)
    }

    fn system(&self) -> usize {
        Arc::as_ptr(&self.share).addr()
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut buffer = buffer(sink.room())?;
        let mut done = 0;
        while sink.room() > 0 {
            let wanted = sink.room().min(buffer.len());
            let count = match self.read(&mut buffer[..wanted], offset + done as u64) {
                Err(error) if done == 0 => return Err(error),
                count => count.unwrap_or(0),
            };
            let taken = sink.put(&buffer[..count]);
            done += taken;
            if count < wanted || taken < count {
                break;
            }
        }
        Ok(done)
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        self.write_all(Some(offset), source)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let count = self.write_all(None, source)?;
        Ok((count, host::status(&self.descriptor).map_err(file_error)?.size))
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        host::set_length(&self.descriptor, length).map_err(file_error)
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        host::erase(&self.descriptor, offset, length).map_err(file_error)
    }

    fn sync(&self, metadata: bool) -> Result<(), FileError> {
        host::synchronize(&self.descriptor, metadata).map_err(file_error)
    }

    fn direct(&self, _shared: bool) -> Option<u32> {
        u32::try_from(self.descriptor.number()).ok()
    }
}
