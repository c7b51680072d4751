//! A file of a share that is open.

use alloc::{sync::Arc, vec::Vec};

use vfs::{Change, FileError, FileSystem, Kind, Metadata, Node, Sink, Source};

use super::{Share, convert::file_error, helper, node};
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

    /// Reads to an address, of ours or the program's. Where there are threads only what is in the host's memory at
    /// once: for the rest this one sleeps, and a thread of the host's waits.
    fn read(&self, address: usize, length: usize, offset: u64) -> Result<usize, HostError> {
        uninterrupted(|| {
            if sync::may_sleep() {
                match host::read_at_once(&self.descriptor, address, length, offset) {
                    Err(HostError::AGAIN) => return helper::read(self.descriptor.number(), address, length, offset),
                    Err(HostError::UNSUPPORTED) => {}
                    result => return result,
                }
            }
            host::read_at(&self.descriptor, address, length, offset)
        })
    }

    /// Writes from an address at `offset`, or behind the end.
    fn write(&self, address: usize, length: usize, offset: Option<u64>) -> Result<usize, HostError> {
        uninterrupted(|| match offset {
            Some(offset) => host::write_at(&self.descriptor, address, length, offset),
            None => host::append(&self.descriptor, address, length),
        })
    }

    /// Has the host write from the program's memory, as far as it can.
    fn write_directly(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<usize, FileError> {
        let mut done = 0;
        while let (Some(place), left @ 1..) = (source.place(), source.left()) {
            match self.write(place, left, offset.map(|offset| offset + done as u64)) {
                Ok(0) | Err(HostError::FAULT) => break,
                Ok(count) => {
                    source.pass(count);
                    done += count;
                }
                Err(_) if done > 0 => break,
                Err(error) => return Err(file_error(error)),
            }
        }
        Ok(done)
    }

    /// Writes all there is. What the host cannot take by itself (memory of ours, pages that are not there yet) goes
    /// through a buffer.
    fn write_all(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<usize, FileError> {
        let mut done = self.write_directly(offset, source)?;
        if source.left() == 0 {
            return Ok(done);
        }
        let mut buffer = buffer(source.left())?;
        while source.left() > 0 {
            let taken = source.take(&mut buffer);
            let at = offset.map(|offset| offset + done as u64);
            let count = match self.write(buffer.as_ptr() as usize, taken, at) {
                Err(error) if done == 0 => return Err(file_error(error)),
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

    /// Has the host read to the program's memory, as far as it can; whether the file has ended.
    fn read_directly(&self, offset: u64, sink: &mut dyn Sink) -> Result<(usize, bool), FileError> {
        let mut done = 0;
        while let (Some(place), room @ 1..) = (sink.place(), sink.room()) {
            match self.read(place, room, offset + done as u64) {
                Ok(0) => return Ok((done, true)),
                Ok(count) => {
                    sink.pass(count);
                    done += count;
                }
                Err(HostError::FAULT) => break,
                Err(_) if done > 0 => return Ok((done, true)),
                Err(error) => return Err(file_error(error)),
            }
        }
        Ok((done, false))
    }
}

/// Makes a call again that a signal has interrupted.
fn uninterrupted(call: impl Fn() -> Result<usize, HostError>) -> Result<usize, HostError> {
    loop {
        match call() {
            Err(HostError::INTERRUPTED) => {}
            result => return result,
        }
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
        let (mut done, has_ended) = self.read_directly(offset, sink)?;
        if has_ended || sink.room() == 0 {
            return Ok(done);
        }
        let mut buffer = buffer(sink.room())?;
        while sink.room() > 0 {
            let wanted = sink.room().min(buffer.len());
            let count = match self.read(buffer.as_mut_ptr() as usize, wanted, offset + done as u64) {
                Err(error) if done == 0 => return Err(file_error(error)),
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
