//! Reading by lines and other pieces.

use alloc_crate::{string::String, vec::Vec};

use super::{Read, Result, read::append_text};

/// A reader with a buffer.
pub trait BufRead: Read {
    /// The bytes that are there; reads some if there are none. Empty at the end.
    ///
    /// # Errors
    /// See [`Read::read`].
    fn fill_buf(&mut self) -> Result<&[u8]>;

    /// Marks so many bytes of [`BufRead::fill_buf`]'s as read.
    fn consume(&mut self, count: usize);

    /// Appends all bytes up to and with `delimiter`, or up to the end.
    ///
    /// # Errors
    /// The first error; what came before it is in `buffer`.
    fn read_until(&mut self, delimiter: u8, buffer: &mut Vec<u8>) -> Result<usize> {
        until(self, delimiter, |bytes| buffer.extend_from_slice(bytes))
    }

    /// Passes over all bytes up to and with `delimiter`, or up to the end.
    ///
    /// # Errors
    /// See [`Read::read`].
    fn skip_until(&mut self, delimiter: u8) -> Result<usize> {
        until(self, delimiter, |_| ())
    }

    /// Appends a line with its newline. 0 is the end.
    ///
    /// # Errors
    /// As [`BufRead::read_until`]; [`super::ErrorKind::InvalidData`] if it is not UTF-8.
    fn read_line(&mut self, buffer: &mut String) -> Result<usize> {
        append_text(buffer, |bytes| self.read_until(b'\n', bytes))
    }

    /// The pieces between `delimiter`s.
    fn split(self, delimiter: u8) -> Split<Self>
    where
        Self: Sized,
    {
        Split { inner: self, delimiter }
    }

    /// The lines, without their `\n` or `\r\n`.
    fn lines(self) -> Lines<Self>
    where
        Self: Sized,
    {
        Lines { inner: self }
    }
}

fn until<R: BufRead + ?Sized>(reader: &mut R, delimiter: u8, mut take: impl FnMut(&[u8])) -> Result<usize> {
    let mut total = 0;
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) if error.is_interrupted() => continue,
            Err(error) => return Err(error),
        };
        let found = available.iter().position(|&byte| byte == delimiter);
        let count = found.map_or(available.len(), |index| index + 1);
        take(&available[..count]);
        reader.consume(count);
        total += count;
        if found.is_some() || count == 0 {
            return Ok(total);
        }
    }
}

/// See [`BufRead::split`].
#[derive(Debug)]
pub struct Split<B> {
    inner: B,
    delimiter: u8,
}

impl<B: BufRead> Iterator for Split<B> {
    type Item = Result<Vec<u8>>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut piece = Vec::new();
        match self.inner.read_until(self.delimiter, &mut piece) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        piece.pop_if(|last| *last == self.delimiter);
        Some(Ok(piece))
    }
}

/// See [`BufRead::lines`].
#[derive(Debug)]
pub struct Lines<B> {
    inner: B,
}

impl<B: BufRead> Iterator for Lines<B> {
    type Item = Result<String>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        match self.inner.read_line(&mut line) {
            Ok(0) => return None,
            Ok(_) => {}
            Err(error) => return Some(Err(error)),
        }
        if line.ends_with('\n') {
            line.pop();
            if line.ends_with('\r') {
                line.pop();
            }
        }
        Some(Ok(line))
    }
}
