//! Readers made of readers.

use super::{BufRead, Read, Result};

/// See [`Read::bytes`].
#[derive(Debug)]
pub struct Bytes<R> {
    pub(super) inner: R,
}

impl<R: Read> Iterator for Bytes<R> {
    type Item = Result<u8>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut byte = [0];
        loop {
            return match self.inner.read(&mut byte) {
                Ok(0) => None,
                Ok(_) => Some(Ok(byte[0])),
                Err(error) if error.is_interrupted() => continue,
                Err(error) => Some(Err(error)),
            };
        }
    }
}

/// See [`Read::chain`].
#[derive(Debug)]
pub struct Chain<T, U> {
    pub(super) first: T,
    pub(super) second: U,
    pub(super) first_ended: bool,
}

impl<T, U> Chain<T, U> {
    /// Both readers.
    pub fn into_inner(self) -> (T, U) {
        (self.first, self.second)
    }

    /// Both readers.
    pub const fn get_ref(&self) -> (&T, &U) {
        (&self.first, &self.second)
    }

    /// Both readers.
    pub const fn get_mut(&mut self) -> (&mut T, &mut U) {
        (&mut self.first, &mut self.second)
    }
}

impl<T: Read, U: Read> Read for Chain<T, U> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if !self.first_ended {
            let count = self.first.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            self.first_ended = true;
        }
        self.second.read(buffer)
    }
}

impl<T: BufRead, U: BufRead> BufRead for Chain<T, U> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if !self.first_ended {
            if !self.first.fill_buf()?.is_empty() {
                return self.first.fill_buf();
            }
            self.first_ended = true;
        }
        self.second.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        if self.first_ended { self.second.consume(count) } else { self.first.consume(count) }
    }
}

/// See [`Read::take`].
#[derive(Debug)]
pub struct Take<T> {
    pub(super) inner: T,
    pub(super) limit: u64,
}

impl<T> Take<T> {
    /// Bytes that may still be read.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Changes how many bytes may still be read.
    pub const fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// The reader.
    pub fn into_inner(self) -> T {
        self.inner
    }

    /// The reader.
    pub const fn get_ref(&self) -> &T {
        &self.inner
    }

    /// The reader.
    pub const fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }

    fn allowed(&self, count: usize) -> usize {
        usize::try_from(self.limit).map_or(count, |limit| limit.min(count))
    }
}

impl<T: Read> Read for Take<T> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        // At its limit it does not ask: the reader might wait.
        if self.limit == 0 {
            return Ok(0);
        }
        let most = self.allowed(buffer.len());
        let count = self.inner.read(&mut buffer[..most])?;
        assert!(count <= most, "number of read bytes exceeds limit");
        self.limit -= count as u64;
        Ok(count)
    }
}

impl<T: BufRead> BufRead for Take<T> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if self.limit == 0 {
            return Ok(&[]);
        }
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let bytes = self.inner.fill_buf()?;
        Ok(&bytes[..bytes.len().min(limit)])
    }

    fn consume(&mut self, count: usize) {
        let count = self.allowed(count);
        self.limit -= count as u64;
        self.inner.consume(count);
    }
}
