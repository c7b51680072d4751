//! An open file.

use core::{
    fmt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use contracts::vfs::{Change, FileError};

use super::{FileTimes, Metadata, OpenOptions, Permissions, error::of, object::Object};
use crate::{
    io::{ErrorKind, Message, Read, Result, Seek, SeekFrom, Write},
    path::Path,
    string::String,
    time::SystemTime,
    vec::Vec,
};

const BEFORE_START: Message =
    Message { kind: ErrorKind::InvalidInput, text: "invalid seek to a negative or overflowing position" };

/// An open file: the kernel's object, and a position in it.
pub struct File {
    pub(super) object: Object,
    /// Threads take turns, and none is left between a position's reading and its writing.
    position: AtomicU64,
    reads: bool,
    writes: bool,
    appends: bool,
}

impl File {
    #[inline]
    pub(super) const fn new(object: Object, reads: bool, writes: bool, appends: bool) -> Self {
        Self { object, position: AtomicU64::new(0), reads, writes, appends }
    }

    /// Opens a file for reading.
    ///
    /// # Errors
    /// What keeps it from being opened.
    pub fn open<P: AsRef<Path>>(path: P) -> Result<Self> {
        OpenOptions::new().read(true).open(path.as_ref())
    }

    /// Opens a file for writing, made or cut to nothing.
    ///
    /// # Errors
    /// What keeps it from being opened.
    pub fn create<P: AsRef<Path>>(path: P) -> Result<Self> {
        OpenOptions::new().write(true).create(true).truncate(true).open(path.as_ref())
    }

    /// Makes a file, for reading and writing.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`], and what keeps it from being made.
    pub fn create_new<P: AsRef<Path>>(path: P) -> Result<Self> {
        OpenOptions::new().read(true).write(true).create_new(true).open(path.as_ref())
    }

    /// How to open others.
    #[must_use]
    pub const fn options() -> OpenOptions {
        OpenOptions::new()
    }

    /// Brings everything written to where it stays.
    ///
    /// # Errors
    /// The file system's.
    pub fn sync_all(&self) -> Result<()> {
        self.object.node().sync(true).map_err(of)
    }

    /// Brings what has been written to where it stays, as far as it is needed to read it.
    ///
    /// # Errors
    /// The file system's.
    pub fn sync_data(&self) -> Result<()> {
        self.object.node().sync(false).map_err(of)
    }

    /// Cuts it, or fills it up with zeros, to `length` bytes.
    ///
    /// # Errors
    /// It is not open for writing, or the file system's.
    pub fn set_len(&self, length: u64) -> Result<()> {
        if !self.writes {
            return Err(of(FileError::Invalid));
        }
        self.object.node().set_length(length).map_err(of)
    }

    /// What is known about it.
    ///
    /// # Errors
    /// None.
    pub fn metadata(&self) -> Result<Metadata> {
        Ok(Metadata(self.object.metadata()))
    }

    /// Sets its permissions.
    ///
    /// # Errors
    /// The file system's.
    pub fn set_permissions(&self, permissions: Permissions) -> Result<()> {
        let change = Change { mode: Some(permissions.0 & 0o7777), ..Change::default() };
        self.object.node().change(&change).map_err(of)
    }

    /// Sets its times.
    ///
    /// # Errors
    /// The file system's.
    pub fn set_times(&self, times: FileTimes) -> Result<()> {
        self.object.node().change(&times.0).map_err(of)
    }

    /// Sets the time of its last change.
    ///
    /// # Errors
    /// The file system's.
    pub fn set_modified(&self, time: SystemTime) -> Result<()> {
        self.set_times(FileTimes::new().set_modified(time))
    }

    /// Reads at `offset`; the position stays.
    #[inline]
    pub(crate) fn read_from(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        if !self.reads {
            return Err(of(FileError::BadDescriptor));
        }
        self.object.read(offset, buffer).map_err(of)
    }

    /// Writes at `offset`, or behind the end if the file was opened so; the position stays. The bytes written, and
    /// where they end.
    #[inline]
    pub(crate) fn write_to(&self, offset: u64, buffer: &[u8]) -> Result<(usize, u64)> {
        if !self.writes {
            return Err(of(FileError::BadDescriptor));
        }
        self.object.write((!self.appends).then_some(offset), buffer).map_err(of)
    }

    /// Bytes between the position and the end.
    fn left(&self) -> usize {
        usize::try_from(self.object.length().saturating_sub(self.position.load(Relaxed))).unwrap_or(0)
    }
}

impl Drop for File {
    #[inline]
    fn drop(&mut self) {
        if self.writes {
            self.object.settle();
        }
    }
}

impl Read for &File {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let offset = self.position.load(Relaxed);
        let count = self.read_from(offset, buffer)?;
        self.position.store(offset + count as u64, Relaxed);
        Ok(count)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> Result<usize> {
        // What is there comes in one step, whatever else is found then in many.
        let (start, left) = (buffer.len(), self.left());
        buffer.try_reserve(left)?;
        buffer.resize(start + left, 0);
        let mut end = start;
        while end < buffer.len() {
            match self.read(&mut buffer[end..]) {
                Ok(0) => break,
                Ok(count) => end += count,
                Err(error) => {
                    buffer.truncate(end);
                    return Err(error);
                }
            }
        }
        buffer.truncate(end);
        let mut rest = Rest(self);
        Ok(end - start + rest.read_to_end(buffer)?)
    }
}

/// A file, read as any reader is.
struct Rest<'a>(&'a File);

impl Read for Rest<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for &File {
    #[inline]
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        let (count, end) = self.write_to(self.position.load(Relaxed), buffer)?;
        self.position.store(end, Relaxed);
        Ok(count)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for &File {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        let (from, by) = match position {
            SeekFrom::Start(offset) => (offset, 0),
            SeekFrom::End(by) => (self.object.length(), by),
            SeekFrom::Current(by) => (self.position.load(Relaxed), by),
        };
        let reached = from.checked_add_signed(by).filter(|&at| i64::try_from(at).is_ok());
        let reached = reached.ok_or_else(|| BEFORE_START.error())?;
        self.position.store(reached, Relaxed);
        Ok(reached)
    }
}

impl Read for File {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        (&*self).read(buffer)
    }

    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> Result<usize> {
        (&*self).read_to_end(buffer)
    }

    fn read_to_string(&mut self, text: &mut String) -> Result<usize> {
        (&*self).read_to_string(text)
    }
}

impl Write for File {
    #[inline]
    fn write(&mut self, buffer: &[u8]) -> Result<usize> {
        (&*self).write(buffer)
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        (&*self).seek(position)
    }
}

impl fmt::Debug for File {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.object.node().inode();
        formatter
            .debug_struct("File")
            .field("inode", &number)
            .field("read", &self.reads)
            .field("write", &self.writes)
            .finish()
    }
}
