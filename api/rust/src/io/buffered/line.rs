//! A buffer that is flushed at newlines.

use core::fmt;

use super::{BufWriter, IntoInnerError};
use crate::io::{Result, Write};

/// Bytes of a line that wait for its end, as the standard library's.
const CAPACITY: usize = 1024;

/// Writes to `W` by whole lines; the last when it is dropped.
pub struct LineWriter<W: Write> {
    buffer: BufWriter<W>,
}

impl<W: Write> LineWriter<W> {
    /// With a buffer of 1 KB.
    pub fn new(inner: W) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// With a buffer of that size.
    pub fn with_capacity(capacity: usize, inner: W) -> Self {
        Self { buffer: BufWriter::with_capacity(capacity, inner) }
    }

    /// The writer.
    pub const fn get_ref(&self) -> &W {
        self.buffer.get_ref()
    }

    /// The writer.
    pub const fn get_mut(&mut self) -> &mut W {
        self.buffer.get_mut()
    }

    /// The writer, after a flush.
    ///
    /// # Errors
    /// This and the flush's error.
    pub fn into_inner(self) -> core::result::Result<W, IntoInnerError<Self>> {
        self.buffer.into_inner().map_err(|IntoInnerError(buffer, error)| IntoInnerError(Self { buffer }, error))
    }
}

impl<W: Write> Write for LineWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let Some(newline) = bytes.iter().rposition(|&byte| byte == b'\n') else {
            // A line that an earlier flush could not write goes before a new one is begun.
            if self.buffer.buffer().last() == Some(&b'\n') {
                self.buffer.flush_buffer()?;
            }
            return self.buffer.write(bytes);
        };
        let (lines, rest) = bytes.split_at(newline + 1);
        self.buffer.flush_buffer()?;
        let written = self.get_mut().write(lines)?;
        if written < lines.len() {
            return Ok(written);
        }
        let fits = rest.len().min(self.buffer.capacity());
        // The buffer is empty; a rest that fills it would go straight to the writer.
        let kept = if fits < self.buffer.capacity() { self.buffer.write(&rest[..fits])? } else { 0 };
        Ok(written + kept)
    }

    fn flush(&mut self) -> Result<()> {
        self.buffer.flush()
    }
}

impl<W: Write + fmt::Debug> fmt::Debug for LineWriter<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("LineWriter")
            .field("writer", self.get_ref())
            .field("buffer", &format_args!("{}/{}", self.buffer.buffer().len(), self.buffer.capacity()))
            .finish_non_exhaustive()
    }
}
