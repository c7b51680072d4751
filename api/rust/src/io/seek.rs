//! Positions in a stream.

use super::Result;

/// A position: from the start, from the end, or from where the stream is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeekFrom {
    /// From the start.
    Start(u64),
    /// From the end.
    End(i64),
    /// From where the stream is.
    Current(i64),
}

/// A stream with positions.
pub trait Seek {
    /// Goes to a position; returns it counted from the start.
    ///
    /// # Errors
    /// The position is before the start, or the stream says something.
    fn seek(&mut self, position: SeekFrom) -> Result<u64>;

    /// Goes to the start.
    ///
    /// # Errors
    /// See [`Seek::seek`].
    fn rewind(&mut self) -> Result<()> {
        self.seek(SeekFrom::Start(0)).map(drop)
    }

    /// Where the stream is.
    ///
    /// # Errors
    /// See [`Seek::seek`].
    fn stream_position(&mut self) -> Result<u64> {
        self.seek(SeekFrom::Current(0))
    }

    /// Goes on by so many bytes.
    ///
    /// # Errors
    /// See [`Seek::seek`].
    fn seek_relative(&mut self, offset: i64) -> Result<()> {
        self.seek(SeekFrom::Current(offset)).map(drop)
    }
}
