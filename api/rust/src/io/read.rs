//! Reading.

use alloc_crate::{string::String, vec::Vec};
use core::mem;

use super::{
    Bytes, Chain, ErrorKind, IoSliceMut, Result, Take,
    error::{Error, Message},
};

/// What `read_to_end` asks for first and at most.
const FIRST: usize = 32;
const MOST: usize = 8192;

const SHORT: Message = Message { kind: ErrorKind::UnexpectedEof, text: "failed to fill whole buffer" };
const NOT_TEXT: Message = Message { kind: ErrorKind::InvalidData, text: "stream did not contain valid UTF-8" };

/// The error of a `read_exact` that met the end.
pub(super) const fn too_short() -> Error {
    SHORT.error()
}

/// Something bytes come from.
pub trait Read {
    /// Reads at most `buffer.len()` bytes; `Ok(0)` is the end, or an empty buffer.
    ///
    /// # Errors
    /// What the source says. [`ErrorKind::Interrupted`] means: again.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize>;

    /// Reads into the first buffer that is not empty.
    ///
    /// # Errors
    /// See [`Read::read`].
    fn read_vectored(&mut self, buffers: &mut [IoSliceMut<'_>]) -> Result<usize> {
        match buffers.iter_mut().find(|buffer| !buffer.is_empty()) {
            Some(buffer) => self.read(buffer),
            None => self.read(&mut []),
        }
    }

    /// Reads all that is left, behind what `buffer` holds.
    ///
    /// # Errors
    /// The first error; what came before it is in `buffer`.
    fn read_to_end(&mut self, buffer: &mut Vec<u8>) -> Result<usize> {
        read_to_end(self, buffer)
    }

    /// Reads all that is left, behind what `buffer` holds.
    ///
    /// # Errors
    /// As [`Read::read_to_end`]; [`ErrorKind::InvalidData`] if it is not UTF-8, and then `buffer` is as before.
    fn read_to_string(&mut self, buffer: &mut String) -> Result<usize> {
        append_text(buffer, |bytes| self.read_to_end(bytes))
    }

    /// Fills all of `buffer`.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if there is less.
    fn read_exact(&mut self, mut buffer: &mut [u8]) -> Result<()> {
        while !buffer.is_empty() {
            match self.read(buffer) {
                Ok(0) => return Err(too_short()),
                Ok(count) => buffer = &mut buffer[count..],
                Err(error) if error.is_interrupted() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// This reader, borrowed.
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }

    /// Its bytes, one by one.
    fn bytes(self) -> Bytes<Self>
    where
        Self: Sized,
    {
        Bytes { inner: self }
    }

    /// This reader, then `next`.
    fn chain<R: Read>(self, next: R) -> Chain<Self, R>
    where
        Self: Sized,
    {
        Chain { first: self, second: next, first_ended: false }
    }

    /// The next `limit` bytes of this reader.
    fn take(self, limit: u64) -> Take<Self>
    where
        Self: Sized,
    {
        Take { inner: self, limit }
    }
}

/// By pieces that grow, so that a short text costs little and a long one few calls.
fn read_to_end<R: Read + ?Sized>(reader: &mut R, buffer: &mut Vec<u8>) -> Result<usize> {
    let start = buffer.len();
    let mut piece = FIRST;
    loop {
        let length = buffer.len();
        buffer.try_reserve(piece)?;
        buffer.resize(length + piece, 0);
        let result = reader.read(&mut buffer[length..]);
        buffer.truncate(length + result.as_ref().map_or(0, |&count| count));
        match result {
            Ok(0) => return Ok(length - start),
            Ok(count) if count == piece => piece = (2 * piece).min(MOST),
            Ok(_) => {}
            Err(error) if error.is_interrupted() => {}
            Err(error) => return Err(error),
        }
    }
}

/// Appends what `read` reads, if that is UTF-8. An empty buffer gives its memory: loops over lines reuse it.
pub(super) fn append_text(buffer: &mut String, read: impl FnOnce(&mut Vec<u8>) -> Result<usize>) -> Result<usize> {
    let mut bytes = if buffer.is_empty() { mem::take(buffer).into_bytes() } else { Vec::new() };
    let result = read(&mut bytes);
    match String::from_utf8(bytes) {
        Ok(text) if buffer.is_empty() => *buffer = text,
        Ok(text) => buffer.push_str(&text),
        Err(_) => return result.and(Err(NOT_TEXT.error())),
    }
    result
}

/// Reads all of `reader` as text.
///
/// # Errors
/// See [`Read::read_to_string`].
pub fn read_to_string<R: Read>(mut reader: R) -> Result<String> {
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    Ok(text)
}
