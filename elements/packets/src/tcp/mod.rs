//! The header of TCP: RFC 9293, 3.1.

mod options;
mod sequence;

pub use options::{Cookie, Options, SackBlocks, Timestamps};
pub use sequence::SequenceNumber;

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    network_endian::{U16, U32},
};

use crate::Malformed;

bitflags::bitflags! {
    /// The control bits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Flags: u8 {
        /// No more data from the sender.
        const FIN = 0x01;
        /// Synchronize sequence numbers.
        const SYN = 0x02;
        /// Reset the connection.
        const RST = 0x04;
        /// Hand over what has come so far.
        const PSH = 0x08;
        /// The acknowledgment number counts.
        const ACK = 0x10;
        /// The urgent pointer counts.
        const URG = 0x20;
        /// Congestion was met on the way: RFC 3168.
        const ECE = 0x40;
        /// The sender has answered it: RFC 3168.
        const CWR = 0x80;
    }
}

/// The header without options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// The sender's port.
    pub source: U16,
    /// The receiver's port.
    pub destination: U16,
    sequence: U32,
    acknowledgment: U32,
    /// The header's length in words of 32 bits, times 16; the rest is reserved.
    pub data_offset: u8,
    flags: u8,
    /// Bytes that the sender takes from the acknowledgment number on, not scaled.
    pub window: U16,
    /// Of pseudo header, header and payload.
    pub checksum: U16,
    /// The byte behind urgent data, from the sequence number.
    pub urgent: U16,
}

/// Bytes of a [`Header`].
pub const HEADER: usize = size_of::<Header>();
/// The most bytes of options.
pub const LONGEST_OPTIONS: usize = 40;
/// Where its checksum is.
pub const CHECKSUM_OFFSET: usize = 16;

impl Header {
    /// A header whose window, checksum and urgent pointer are 0, with `options` bytes behind it: a multiple of 4.
    #[must_use]
    pub fn new(
        ports: (u16, u16),
        sequence: SequenceNumber,
        acknowledgment: SequenceNumber,
        flags: Flags,
        options: usize,
    ) -> Self {
        debug_assert!(options.is_multiple_of(4) && options <= LONGEST_OPTIONS);
        Self {
            source: ports.0.into(),
            destination: ports.1.into(),
            sequence: sequence.0.into(),
            acknowledgment: acknowledgment.0.into(),
            data_offset: (((HEADER + options) / 4) << 4) as u8,
            flags: flags.bits(),
            window: 0.into(),
            checksum: 0.into(),
            urgent: 0.into(),
        }
    }

    /// The first byte's number, or that of SYN.
    #[must_use]
    pub fn sequence(&self) -> SequenceNumber {
        SequenceNumber(self.sequence.get())
    }

    /// The number that the sender expects next, if [`Flags::ACK`] is there.
    #[must_use]
    pub fn acknowledgment(&self) -> SequenceNumber {
        SequenceNumber(self.acknowledgment.get())
    }

    /// The control bits.
    #[must_use]
    pub const fn flags(&self) -> Flags {
        Flags::from_bits_retain(self.flags)
    }

    /// Bytes of header and options.
    #[must_use]
    pub const fn length(&self) -> usize {
        (self.data_offset >> 4) as usize * 4
    }
}

/// The header at the beginning of `front` and the bytes of its options, of a segment that has `length` bytes.
pub fn parse(front: &[u8], length: usize) -> Result<(&Header, &[u8]), Malformed> {
    let (header, rest) = Header::ref_from_prefix(front).map_err(|_| Malformed::Short)?;
    if header.length() > length {
        return Err(Malformed::Short);
    }
    let options = header.length().checked_sub(HEADER).ok_or(Malformed::Length)?;
    let options = rest.get(..options).ok_or(Malformed::Short)?;
    Ok((header, options))
}
