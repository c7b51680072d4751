//! An open file.

use sha2::{Digest as _, Sha256};

use crate::{Below, Digest, Error, Unreadable, layout::Entry};

/// Bytes that are read at a time where a digest is made.
const PIECE: usize = 4096;

/// An open file: where its contents are. Opening counts nothing, and closing does nothing.
pub struct File<'v, B> {
    below: &'v B,
    begin: u64,
    length: u64,
    digest: &'v Digest,
}

impl<B> Clone for File<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B> Copy for File<'_, B> {}

impl<'v, B: Below> File<'v, B> {
    #[inline]
    pub(crate) const fn new(below: &'v B, entry: &'v Entry) -> Self {
        Self { below, begin: entry.begin.get(), length: entry.length.get(), digest: &entry.digest }
    }

    /// Bytes of contents.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// Where the contents begin in the image: a multiple of a block, for a device to read from.
    #[must_use]
    pub const fn begin(&self) -> u64 {
        self.begin
    }

    /// The digest of its contents, as the image has it.
    #[must_use]
    pub const fn digest(&self) -> &'v Digest {
        self.digest
    }

    /// All contents where they are, if they are in memory.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> Option<&'v [u8]> {
        self.below.in_place(self.begin, self.length)
    }

    /// Reads from `offset` on; the bytes that came, fewer than `buffer` has only at the end.
    ///
    /// # Errors
    /// What is below cannot be read.
    #[inline]
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Unreadable> {
        let left = self.length.saturating_sub(offset);
        let count = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
        if count > 0 {
            // Inside the image, as was checked when it was opened.
            self.below.read(self.begin.wrapping_add(offset), &mut buffer[..count])?;
        }
        Ok(count)
    }

    /// Compares the contents with their digest.
    ///
    /// # Errors
    /// They are others, or cannot be read.
    pub fn verify(&self) -> Result<(), Error> {
        let (mut hasher, mut buffer, mut at) = (Sha256::new(), [0; PIECE], 0);
        while at < self.length {
            let count = self.read_at(at, &mut buffer).map_err(|_| Error::Unreadable)?;
            hasher.update(&buffer[..count]);
            at += count as u64;
        }
        let found: Digest = hasher.finalize().into();
        if found == *self.digest { Ok(()) } else { Err(Error::Damaged("contents are not what was packed")) }
    }
}

impl<B> core::fmt::Debug for File<'_, B> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("File").field("begin", &self.begin).field("length", &self.length).finish_non_exhaustive()
    }
}
