//! The header of UDP: RFC 768.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, network_endian::U16};

use crate::Malformed;

/// The header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// The port it comes from, or 0.
    pub source: U16,
    /// The port it is for.
    pub destination: U16,
    /// Bytes of header and payload.
    pub length: U16,
    /// Of pseudo header, header and payload; 0 if there is none, which IPv6 does not allow (RFC 8200, 8.1).
    pub checksum: U16,
}

/// Bytes of a [`Header`].
pub const HEADER: usize = size_of::<Header>();
/// Where its checksum is.
pub const CHECKSUM_OFFSET: usize = 6;

/// The header at the beginning of `front`, of a packet that has `length` bytes from there on. Its own length may be
/// less: what is behind is no part of the datagram.
pub fn parse(front: &[u8], length: usize) -> Result<&Header, Malformed> {
    let (header, _) = Header::ref_from_prefix(front).map_err(|_| Malformed::Short)?;
    match usize::from(header.length.get()) {
        told if told < HEADER => Err(Malformed::Length),
        told if told > length => Err(Malformed::Short),
        _ => Ok(header),
    }
}

/// The header of UDP-Lite (RFC 3828, 3.1) at the beginning of `front`: its length is how many bytes the checksum
/// covers, the header at least, or 0 for all.
#[must_use]
pub fn covering(front: &[u8], length: usize) -> Option<&Header> {
    let (header, _) = Header::ref_from_prefix(front).ok()?;
    let covered = usize::from(header.length.get());
    (covered == 0 || covered >= HEADER && covered <= length).then_some(header)
}

/// What a computed checksum is written as: 0 means that there is none, and the same sum has a second form.
#[must_use]
pub const fn written(checksum: u16) -> u16 {
    if checksum == 0 { 0xffff } else { checksum }
}
