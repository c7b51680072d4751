//! A buffer before a writer.

use alloc_crate::vec::Vec;
use core::{error, fmt, mem};

use super::CAPACITY;
use crate::io::{Error, ErrorKind, Result, Seek, SeekFrom, Write, error::Message};

const NOT_TAKEN: Message = Message { kind: ErrorKind::WriteZero, text: "failed to write the buffered data" };

/// Writes to `W` by large pieces; the last when it is dropped.
pub struct BufWriter<W: Write> {
    /// `None` after [`BufWriter::into_inner`], which leaves nothing to flush.
    inner: Option<W>,
    bytes: Vec<u8>,
}

impl<W: Write> BufWriter<W> {
    /// With a buffer of 8 KB.
    pub fn new(inner: W) -> Self {
        Self::with_capacity(CAPACITY, inner)
    }

    /// With a buffer of that size.
    pub fn with_capacity(capacity: usize, inner: W) -> Self {
        Self { inner: Some(inner), bytes: Vec::with_capacity(capacity) }
    }

    /// The writer, after a flush.
    ///
    /// # Errors
    /// This and the flush's error.
    pub fn into_inner(mut self) -> core::result::Result<W, IntoInnerError<Self>> {
        match self.flush_buffer() {
            Ok(()) => Ok(self.into_parts().0),
            Err(error) => Err(IntoInnerError(self, error)),
        }
    }

    /// The writer, and what was not written.
    pub fn into_parts(mut self) -> (W, core::result::Result<Vec<u8>, WriterPanicked>) {
        let bytes = mem::take(&mut self.bytes);
        match self.inner.take() {
            Some(inner) => (inner, Ok(bytes)),
            None => gone(),
        }
    }

    /// The writer.
    pub const fn get_ref(&self) -> &W {
        match &self.inner {
            Some(inner) => inner,
            None => gone(),
        }
    }

    /// The writer.
    pub const fn get_mut(&mut self) -> &mut W {
        match &mut self.inner {
            Some(inner) => inner,
            None => gone(),
        }
    }

    /// What is not written yet.
    pub fn buffer(&self) -> &[u8] {
        &self.bytes
    }

    /// The buffer's size.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity()
    }

    /// Writes what is in the buffer; what the writer has taken leaves it even if the rest fails.
    pub(super) fn flush_buffer(&mut self) -> Result<()> {
        let Some(inner) = &mut self.inner else { return Ok(()) };
        let mut written = 0;
        let mut result = Ok(());
        while result.is_ok() && written < self.bytes.len() {
            match inner.write(&self.bytes[written..]) {
                Ok(0) => result = Err(NOT_TAKEN.error()),
                Ok(count) => written += count,
                Err(error) if error.is_interrupted() => {}
                Err(error) => result = Err(error),
            }
        }
        self.bytes.drain(..written);
        result
    }
}

/// The writer leaves only with the buffer around it.
const fn gone() -> ! {
    panic!("a buffer without its writer")
}

impl<W: Write> Write for BufWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.bytes.len() + bytes.len() > self.bytes.capacity() {
            self.flush_buffer()?;
        }
        if bytes.len() >= self.bytes.capacity() {
            return self.get_mut().write(bytes);
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.flush_buffer()?;
        self.get_mut().flush()
    }
}

impl<W: Write + Seek> Seek for BufWriter<W> {
    fn seek(&mut self, position: SeekFrom) -> Result<u64> {
        self.flush_buffer()?;
        self.get_mut().seek(position)
    }
}

impl<W: Write> Drop for BufWriter<W> {
    fn drop(&mut self) {
        // Nobody is left to be told; who wants to know calls `flush`.
        let _ = self.flush_buffer();
    }
}

impl<W: Write + fmt::Debug> fmt::Debug for BufWriter<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BufWriter")
            .field("writer", self.get_ref())
            .field("buffer", &format_args!("{}/{}", self.bytes.len(), self.bytes.capacity()))
            .finish()
    }
}

/// Why a buffered writer did not let go of its writer, and itself.
#[derive(Debug)]
pub struct IntoInnerError<W>(pub(super) W, pub(super) Error);

impl<W> IntoInnerError<W> {
    /// The flush's error.
    pub const fn error(&self) -> &Error {
        &self.1
    }

    /// The buffered writer.
    pub fn into_inner(self) -> W {
        self.0
    }

    /// The flush's error.
    pub fn into_error(self) -> Error {
        self.1
    }

    /// Both.
    pub fn into_parts(self) -> (Error, W) {
        (self.1, self.0)
    }
}

impl<W> From<IntoInnerError<W>> for Error {
    fn from(error: IntoInnerError<W>) -> Self {
        error.1
    }
}

impl<W> fmt::Display for IntoInnerError<W> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.1.fmt(formatter)
    }
}

impl<W: Send + fmt::Debug> error::Error for IntoInnerError<W> {}

/// The buffer of a writer that panicked. A panic ends the machine, so there never is one.
pub struct WriterPanicked(Vec<u8>);

impl WriterPanicked {
    /// What may or may not be written.
    #[must_use]
    pub fn into_inner(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for WriterPanicked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("WriterPanicked").finish_non_exhaustive()
    }
}

impl fmt::Display for WriterPanicked {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("BufWriter inner writer panicked, what data remains unwritten is not known")
    }
}

impl error::Error for WriterPanicked {}
