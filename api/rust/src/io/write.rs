//! Writing.

use core::fmt;

use super::{ErrorKind, IoSlice, Result, error::Message};

const NOTHING_TAKEN: Message = Message { kind: ErrorKind::WriteZero, text: "failed to write whole buffer" };

/// The error of a `write_all` of which not all was taken.
pub(super) const fn too_much() -> super::Error {
    NOTHING_TAKEN.error()
}

/// Something bytes go to.
pub trait Write {
    /// Writes some of `bytes`, and says how many.
    ///
    /// # Errors
    /// What the sink says. [`ErrorKind::Interrupted`] means: again.
    fn write(&mut self, bytes: &[u8]) -> Result<usize>;

    /// Sends on what was kept back.
    ///
    /// # Errors
    /// What the sink says.
    fn flush(&mut self) -> Result<()>;

    /// Writes the first buffer that is not empty.
    ///
    /// # Errors
    /// See [`Write::write`].
    fn write_vectored(&mut self, buffers: &[IoSlice<'_>]) -> Result<usize> {
        self.write(buffers.iter().find(|buffer| !buffer.is_empty()).map_or(&[], |buffer| &**buffer))
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// The first error, [`ErrorKind::WriteZero`] if the sink takes nothing more.
    fn write_all(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match self.write(bytes) {
                Ok(0) => return Err(too_much()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.is_interrupted() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes formatted text: what `write!` calls.
    ///
    /// # Errors
    /// The first error of [`Write::write_all`].
    fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> Result<()> {
        if let Some(text) = text.as_str() {
            return self.write_all(text.as_bytes());
        }
        let mut writer = Formatted { sink: self, result: Ok(()) };
        match fmt::write(&mut writer, text) {
            Ok(()) => Ok(()),
            Err(fmt::Error) if writer.result.is_err() => writer.result,
            Err(fmt::Error) => {
                panic!("a formatting trait implementation returned an error when the underlying stream did not")
            }
        }
    }

    /// This writer, borrowed.
    fn by_ref(&mut self) -> &mut Self
    where
        Self: Sized,
    {
        self
    }
}

/// Keeps the error that `core::fmt` has no place for.
struct Formatted<'a, W: ?Sized> {
    sink: &'a mut W,
    result: Result<()>,
}

impl<W: Write + ?Sized> fmt::Write for Formatted<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.result = self.sink.write_all(text.as_bytes());
        if self.result.is_ok() { Ok(()) } else { Err(fmt::Error) }
    }
}
