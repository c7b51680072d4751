//! Memory with a position in it.

use alloc_crate::{boxed::Box, vec::Vec};
use core::fmt;

use super::{BufRead, ErrorKind, Read, Result, Seek, SeekFrom, Write, error::Message, read::too_short};

const BEFORE_START: Message =
    Message { kind: ErrorKind::InvalidInput, text: "invalid seek to a negative or overflowing position" };

/// Memory that is read or written from a position on.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Cursor<T> {
    inner: T,
    position: u64,
}

impl<T> Cursor<T> {
    /// At the start of `inner`.
    pub const fn new(inner: T) -> Self {
        Self { inner, position: 0 }
    }

    /// The memory.
    pub fn into_inner(self) -> T {
        self.inner
    }

    /// The memory.
    pub const fn get_ref(&self) -> &T {
        &self.inner
    }

    /// The memory.
    pub const fn get_mut(&mut self) -> &mut T {
        &mut self.inner
    }

    /// Where it stands.
    pub const fn position(&self) -> u64 {
        self.position
    }

    /// Goes to that position, which may be behind the end.
    pub const fn set_position(&mut self, position: u64) {
        self.position = position;
    }
}

impl<T: AsRef<[u8]>> Cursor<T> {
    fn rest(&self) -> &[u8] {
        let bytes = self.inner.as_ref();
        &bytes[start(self.position, bytes.len())..]
    }
}

impl<T: fmt::Debug> fmt::Debug for Cursor<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cursor").field("inner", &self.inner).field("pos", &self.position).finish()
    }
}

/// The position as an index, the end for one behind it.
fn start(position: u64, length: usize) -> usize {
    usize::try_from(position).map_or(length, |position| position.min(length))
}

impl<T: AsRef<[u8]>> Read for Cursor<T> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.rest().read(buffer)?;
        self.position += count as u64;
        Ok(count)
    }

    fn read_exact(&mut self, buffer: &mut [u8]) -> Result<()> {
        if self.rest().len() < buffer.len() {
            self.position = self.inner.as_ref().len() as u64;
            return Err(too_short());
        }
        self.read(buffer).map(drop)
    }
}

impl<T: AsRef<[u8]>> BufRead for Cursor<T> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self.rest())
    }

    fn consume(&mut self, count: usize) {
        self.position += count as u64;
    }
}

impl<T: AsRef<[u8]>> Seek for Cursor<T> {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        let (base, offset) = match position {
            SeekFrom::Start(position) => (position, 0),
            SeekFrom::End(offset) => (self.inner.as_ref().len() as u64, offset),
            SeekFrom::Current(offset) => (self.position, offset),
        };
        self.position = base.checked_add_signed(offset).ok_or_else(|| BEFORE_START.error())?;
        Ok(self.position)
    }
}

/// Writes into memory that does not grow.
fn write_fixed(memory: &mut [u8], position: &mut u64, bytes: &[u8]) -> Result<usize> {
    let start = start(*position, memory.len());
    let count = (&mut memory[start..]).write(bytes)?;
    *position += count as u64;
    Ok(count)
}

/// Writes into memory that grows; a gap before the position is filled with zeros.
fn write_growing(memory: &mut Vec<u8>, position: &mut u64, bytes: &[u8]) -> Result<usize> {
    const TOO_FAR: Message =
        Message { kind: ErrorKind::InvalidInput, text: "cursor position exceeds maximum possible vector length" };
    let start = usize::try_from(*position).map_err(|_| TOO_FAR.error())?;
    if memory.len() < start {
        memory.resize(start, 0);
    }
    let (over, behind) = bytes.split_at(bytes.len().min(memory.len() - start));
    memory[start..start + over.len()].copy_from_slice(over);
    memory.extend_from_slice(behind);
    *position += bytes.len() as u64;
    Ok(bytes.len())
}

/// [`Write`] for a cursor over `$memory`.
macro_rules! writable {
    ([$($generic:tt)*] $memory:ty, $write:ident, |$name:ident| $access:expr) => {
        impl<$($generic)*> Write for Cursor<$memory> {
            fn write(&mut self, bytes: &[u8]) -> Result<usize> {
                let $name = &mut self.inner;
                $write($access, &mut self.position, bytes)
            }

            fn flush(&mut self) -> Result<()> {
                Ok(())
            }
        }
    };
}

writable!([] &mut [u8], write_fixed, |memory| memory);
writable!([] Box<[u8]>, write_fixed, |memory| memory);
writable!([const N: usize] [u8; N], write_fixed, |memory| memory);
writable!([] Vec<u8>, write_growing, |memory| memory);
writable!([] &mut Vec<u8>, write_growing, |memory| memory);
