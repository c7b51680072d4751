//! A buffer before a reader.

use alloc_crate::{boxed::Box, vec};
use core::fmt;

use super::CAPACITY;
use crate::io::{BufRead, Read, Result, Seek, SeekFrom};

/// Reads from `R` by large pieces.
pub struct BufReader<R: ?Sized> {
    bytes: Box<[u8]>,
    /// What is in `bytes` and not read yet.
    start: usize,
    end: usize,
    inner: R,
}

impl<R: Read> BufReader<R> {
    /// With a buffer of 8 KB.
    pub fn new(inner: R) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// With a buffer of that size.
    pub fn with_capacity(capacity: usize, inner: R) -> Self {
        Self { bytes: vec![0; capacity].into_boxed_slice(), start: 0, end: 0, inner }
    }
}

impl<R> BufReader<R> {
    /// The reader. What is in the buffer is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: ?Sized> BufReader<R> {
    /// The reader.
    pub const fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The reader.
    pub const fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// What is in the buffer.
    pub fn buffer(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// The buffer's size.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    fn discard(&mut self) {
        (self.start, self.end) = (0, 0);
    }
}

impl<R: Read + ?Sized> Read for BufReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if self.start == self.end && buffer.len() >= self.bytes.len() {
            return self.inner.read(buffer);
        }
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + ?Sized> BufRead for BufReader<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.start == self.end {
            self.discard();
            self.end = self.inner.read(&mut self.bytes)?;
        }
        Ok(self.buffer())
    }

    fn consume(&mut self, count: usize) {
        self.start = self.start.saturating_add(count).min(self.end);
    }
}

impl<R: Seek + ?Sized> BufReader<R> {
    /// Goes on by so many bytes; within the buffer without asking the reader.
    ///
    /// # Errors
    /// The reader's.
    pub fn seek_relative(&mut self, offset: i64) -> Result<()> {
        let start = (self.start as u64).checked_add_signed(offset).and_then(|start| usize::try_from(start).ok());
        match start.filter(|&start| start <= self.end) {
            Some(start) => self.start = start,
            None => drop(self.seek(SeekFrom::Current(offset))?),
        }
        Ok(())
    }
}

impl<R: Seek + ?Sized> Seek for BufReader<R> {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        let ahead = (self.end - self.start) as i64;
        let result = match position {
            // The reader is further than we are by what is in the buffer.
            SeekFrom::Current(offset) => match offset.checked_sub(ahead) {
                Some(offset) => self.inner.seek(SeekFrom::Current(offset))?,
                None => {
                    self.inner.seek(SeekFrom::Current(-ahead))?;
                    self.discard();
                    self.inner.seek(SeekFrom::Current(offset))?
                }
            },
            other => self.inner.seek(other)?,
        };
        self.discard();
        Ok(result)
    }

    fn stream_position(&mut self) -> Result<u64> {
        let ahead = (self.end - self.start) as u64;
        self.inner.stream_position().map(|position| position.saturating_sub(ahead))
    }

    fn seek_relative(&mut self, offset: i64) -> Result<()> {
        Self::seek_relative(self, offset)
    }
}

impl<R: fmt::Debug + ?Sized> fmt::Debug for BufReader<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BufReader")
            .field("reader", &&self.inner)
            .field("buffer", &format_args!("{}/{}", self.end - self.start, self.bytes.len()))
            .finish()
    }
}
