//! The simplest readers and writers, and copying from one to the other.

use super::{BufRead, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use alloc_crate::vec::Vec;

/// Nothing to read; what is written is forgotten.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Empty;

/// See [`Empty`].
#[must_use]
pub const fn empty() -> Empty {
    Empty
}

impl Read for Empty {
    fn read(&mut self, _: &mut [u8]) -> Result<usize> {
        Ok(0)
    }
}

impl BufRead for Empty {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(&[])
    }

    fn consume(&mut self, _: usize) {}
}

impl Seek for Empty {
    fn seek(&mut self, _: SeekFrom) -> Result<u64> {
        Ok(0)
    }
}

/// What is written is forgotten.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Sink;

/// See [`Sink`].
#[must_use]
pub const fn sink() -> Sink {
    Sink
}

/// [`Write`] for what forgets.
macro_rules! forgets {
    ($($name:ty)*) => {
        $(impl Write for $name {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                Ok(bytes.len())
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        })*
    };
}

forgets!(Empty Sink &Empty &Sink);

/// One byte for ever.
#[derive(Clone, Debug)]
pub struct Repeat {
    byte: u8,
}

/// See [`Repeat`].
#[must_use]
pub const fn repeat(byte: u8) -> Repeat {
    Repeat { byte }
}

impl Read for Repeat {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        buffer.fill(self.byte);
        Ok(buffer.len())
    }

    fn read_to_end(&mut self, _: &mut Vec<u8>) -> Result<usize> {
        Err(ErrorKind::OutOfMemory.into())
    }
}

/// Copies all that is left of `reader`; returns how many bytes.
///
/// # Errors
/// The first error of either.
pub fn copy<R: Read + ?Sized, W: Write + ?Sized>(reader: &mut R, writer: &mut W) -> Result<u64> {
    let mut buffer = [0; 2048];
    let mut total = 0;
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(total),
            Ok(count) => {
                writer.write_all(&buffer[..count])?;
                total += count as u64;
            }
            Err(error) if error.is_interrupted() => {}
            Err(error) => return Err(error),
        }
    }
}
