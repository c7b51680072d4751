//! Where an image lies.

/// Bytes could not be read: a device's error, or an offset that it does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// Bytes at an offset: memory, a disk, a part of either.
pub trait Below {
    /// Bytes in all.
    fn length(&self) -> u64;

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    /// Not all of it could be read.
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Unreadable>;

    /// These bytes where they are, if they are in memory.
    fn in_place(&self, _offset: u64, _length: u64) -> Option<&[u8]> {
        None
    }
}

impl Below for &[u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }

    #[inline]
    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Unreadable> {
        let bytes = self.in_place(offset, buffer.len() as u64).ok_or(Unreadable)?;
        // A single byte takes no call: it would cost more than the rest.
        match (buffer, bytes) {
            ([to], [from]) => *to = *from,
            (to, from) => to.copy_from_slice(from),
        }
        Ok(())
    }

    #[inline]
    fn in_place(&self, offset: u64, length: u64) -> Option<&[u8]> {
        let begin = usize::try_from(offset).ok()?;
        self.get(begin..begin.checked_add(usize::try_from(length).ok()?)?)
    }
}
