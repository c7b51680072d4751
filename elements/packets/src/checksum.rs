//! The Internet checksum: RFC 1071.
//!
//! A [`Sum`] takes stretches of any length one after the other, also odd ones, and counts in 64 bits.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// A sum of 16-bit words in network order that is not folded yet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// In the machine's order: the sum does not depend on it but for one swap at the end (RFC 1071, 2 (B)).
    words: u64,
    /// An odd number of bytes was added so far.
    odd: bool,
}

impl Sum {
    /// Of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: 0, odd: false }
    }

    /// Adds the bytes that follow.
    #[inline]
    #[must_use]
    pub fn with(mut self, bytes: &[u8]) -> Self {
        let sum = fold(sum(bytes));
        // A stretch that begins at an odd place has its bytes the other way round: RFC 1071, 2 (B).
        let sum = if self.odd { sum.swap_bytes() } else { sum };
        self.words += u64::from(sum);
        self.odd ^= !bytes.len().is_multiple_of(2);
        self
    }

    /// Adds a word of a header, as a number. At even places only.
    #[must_use]
    pub fn with_word(mut self, word: u16) -> Self {
        self.words += u64::from(word.to_be());
        self
    }

    /// Adds the pseudo header of a transport protocol: RFC 9293, 3.1 and RFC 8200, 8.1. `length` is the transport's
    /// header and payload. Addresses of two families are a mistake of the caller, and give a sum that fits neither.
    #[must_use]
    pub fn with_pseudo_header(self, source: IpAddr, destination: IpAddr, protocol: u8, length: usize) -> Self {
        self.with_address(source).with_address(destination).with_word(protocol.into()).with_long(length as u32)
    }

    fn with_address(self, address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => self.with_long(Ipv4Addr::to_bits(address)),
            IpAddr::V6(address) => self.with(&Ipv6Addr::octets(&address)),
        }
    }

    fn with_long(self, long: u32) -> Self {
        self.with_word((long >> 16) as u16).with_word(long as u16)
    }

    /// The sum itself, which a field that a device completes holds, as a number.
    #[must_use]
    pub fn folded(self) -> u16 {
        u16::from_be(fold(self.words))
    }

    /// The checksum: the sum's complement, as a number.
    #[must_use]
    pub fn finish(self) -> u16 {
        !self.folded()
    }

    /// Whether what was added, its checksum among it, is right.
    #[must_use]
    pub fn is_right(self) -> bool {
        self.finish() == 0
    }
}

/// The sum of a stretch, in the machine's order. Of a header, whose length is known, it is a few additions.
#[inline]
fn sum(bytes: &[u8]) -> u64 {
    let (longs, rest) = bytes.as_chunks::<8>();
    let mut sum = 0_u64;
    for long in longs {
        let long = u64::from_ne_bytes(*long);
        // Halves, so that 2^32 of them fit: more than any packet has.
        sum += (long & 0xffff_ffff) + (long >> 32);
    }
    let (words, last) = rest.as_chunks::<2>();
    for word in words {
        sum += u64::from(u16::from_ne_bytes(*word));
    }
    if let &[byte] = last {
        sum += u64::from(u16::from_ne_bytes([byte, 0]));
    }
    sum
}

/// Folds the carries in.
const fn fold(sum: u64) -> u16 {
    let sum = (sum & 0xffff_ffff) + (sum >> 32);
    let sum = (sum & 0xffff) + ((sum >> 16) & 0xffff) + (sum >> 32);
    let sum = (sum & 0xffff) + (sum >> 16);
    ((sum & 0xffff) + (sum >> 16)) as u16
}

/// The checksum of a header of IPv4 without options, which each packet has.
#[inline(always)]
#[must_use]
pub fn of_header(bytes: &[u8; 20]) -> u16 {
    let mut sum = 0_u64;
    for word in bytes.as_chunks::<4>().0 {
        sum += u64::from(u32::from_ne_bytes(*word));
    }
    !u16::from_be(fold(sum))
}

/// The checksum of one stretch.
#[inline]
#[must_use]
pub fn of(bytes: &[u8]) -> u16 {
    Sum::new().with(bytes).finish()
}
