//! Physical memory as the parsers see it, and little-endian fields in byte slices.

/// Physical memory that firmware or a monitor filled in and that does not change while it is borrowed.
pub trait Memory {
    /// `length` bytes at physical `address`, or `None` where there is nothing to read.
    fn bytes(&self, address: u64, length: usize) -> Option<&[u8]>;
}

/// A byte slice is memory that starts at address zero: for tests, and for tables copied elsewhere.
impl Memory for [u8] {
    fn bytes(&self, address: u64, length: usize) -> Option<&[u8]> {
        let start = usize::try_from(address).ok()?;
        self.get(start..start.checked_add(length)?)
    }
}

/// The little-endian field of `N` bytes at `at`.
fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

pub(crate) fn word16(bytes: &[u8], at: usize) -> Option<u16> {
    field(bytes, at).map(u16::from_le_bytes)
}

pub(crate) fn word32(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_le_bytes)
}

pub(crate) fn word64(bytes: &[u8], at: usize) -> Option<u64> {
    field(bytes, at).map(u64::from_le_bytes)
}
