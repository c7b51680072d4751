//! The disk, as the file system sees it.

use alloc::sync::Arc;
use core::fmt;

use hadris_fs::{Error, ErrorKind};
use hadris_io::ErrorType;
use hadris_storage::{BlockIndex, BlockSize, sync::BlockDevice};
use page_cache::{Backing, Contents};
use vfs::{FileError, SliceSink, SliceSource};

/// Bytes of a sector.
const SECTOR: usize = 512;
const SIZE: BlockSize = match BlockSize::new(SECTOR as u32) {
    Some(size) => size,
    None => panic!("a sector has bytes"),
};
/// From so many bytes on a read is of files and goes around the disk's cache, which keeps what describes them.
const LARGE: usize = 8 << 10;

/// A disk. Whatever is written goes through its cache to the disk at once.
pub struct Device {
    pub disk: Arc<Contents>,
    pub store: Arc<dyn Backing>,
    pub sectors: u64,
    pub read_only: bool,
}

/// Why the disk did not do it.
#[derive(Clone, Copy, Debug)]
pub struct DeviceError(pub FileError);

impl fmt::Display for DeviceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, out)
    }
}

impl core::error::Error for DeviceError {}

fn failed(error: FileError) -> Error<DeviceError> {
    Error::device(DeviceError(error), "the disk failed")
}

impl Device {
    fn offset(&self, first: BlockIndex, length: usize) -> Result<u64, Error<DeviceError>> {
        let end = first.get().checked_add((length / SECTOR) as u64);
        if end.is_none_or(|end| end > self.sectors) || !length.is_multiple_of(SECTOR) {
            return Err(Error::new(ErrorKind::InvalidInput, "a sector behind the end of the disk"));
        }
        Ok(first.get() * SECTOR as u64)
    }

    fn read_directly(&self, mut offset: u64, mut bytes: &mut [u8]) -> Result<(), FileError> {
        while !bytes.is_empty() {
            let count = self.store.read(offset, &mut [&mut *bytes])?;
            if count == 0 {
                return Err(FileError::Failed);
            }
            bytes = &mut bytes[count..];
            offset += count as u64;
        }
        Ok(())
    }
}

impl ErrorType for Device {
    type Error = DeviceError;
}

impl BlockDevice for Device {
    fn block_size(&self) -> BlockSize {
        SIZE
    }

    fn block_count(&self) -> u64 {
        self.sectors
    }

    fn writable(&self) -> bool {
        !self.read_only
    }

    fn read_blocks(&mut self, first: BlockIndex, buffer: &mut [u8]) -> Result<(), Error<DeviceError>> {
        let offset = self.offset(first, buffer.len())?;
        if buffer.len() >= LARGE {
            return self.read_directly(offset, buffer).map_err(failed);
        }
        let wanted = buffer.len();
        let count = self.disk.read_at(offset, &mut SliceSink::new(buffer)).map_err(failed)?;
        if count == wanted { Ok(()) } else { Err(failed(FileError::Failed)) }
    }

    fn write_blocks(&mut self, first: BlockIndex, bytes: &[u8]) -> Result<(), Error<DeviceError>> {
        let offset = self.offset(first, bytes.len())?;
        if self.read_only {
            return Err(Error::new(ErrorKind::ReadOnly, "the disk is read-only"));
        }
        let count = self.disk.write_at(offset, &mut SliceSource::new(bytes)).map_err(failed)?;
        if count == bytes.len() { Ok(()) } else { Err(failed(FileError::Failed)) }
    }

    fn flush(&mut self) -> Result<(), Error<DeviceError>> {
        if self.read_only { Ok(()) } else { self.disk.sync(false).map_err(failed) }
    }
}
