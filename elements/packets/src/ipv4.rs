//! The header of IPv4: RFC 791.

use core::net::Ipv4Addr;

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, network_endian::U16};

use crate::{Malformed, checksum};

/// The header without options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// 4, and the header's length in words of 32 bits.
    pub version_and_length: u8,
    /// Differentiated services (RFC 2474) and congestion notification (RFC 3168).
    pub traffic_class: u8,
    /// Bytes of the whole packet.
    pub total_length: U16,
    /// What fragments of one packet have in common.
    pub identification: U16,
    /// [`DO_NOT_FRAGMENT`], [`MORE_FRAGMENTS`], and the place of a fragment in units of eight bytes.
    pub fragment: U16,
    /// Routers that it may still pass.
    pub time_to_live: u8,
    /// What it carries: see [`crate::ipv4::protocol`].
    pub protocol: u8,
    /// Of the header alone.
    pub checksum: U16,
    source: [u8; 4],
    destination: [u8; 4],
}

/// Bytes of a [`Header`].
pub const HEADER: usize = size_of::<Header>();
/// The longest header, with options.
pub const LONGEST_HEADER: usize = 60;
/// No router may cut it.
pub const DO_NOT_FRAGMENT: u16 = 0x4000;
/// It is not the last fragment.
pub const MORE_FRAGMENTS: u16 = 0x2000;
/// The place of a fragment, in units of eight bytes.
pub const FRAGMENT_OFFSET: u16 = 0x1fff;
/// Each host takes packets of this length: RFC 791, 3.2.
pub const LEAST_REASSEMBLY: usize = 576;

/// Numbers of protocols over IP, of both versions: IANA, protocol numbers.
pub mod protocol {
    /// ICMP for IPv4: RFC 792.
    pub const ICMP: u8 = 1;
    /// IGMP: RFC 3376.
    pub const IGMP: u8 = 2;
    /// TCP: RFC 9293.
    pub const TCP: u8 = 6;
    /// UDP: RFC 768.
    pub const UDP: u8 = 17;
    /// ICMPv6: RFC 4443.
    pub const ICMPV6: u8 = 58;
    /// UDP-Lite: RFC 3828.
    pub const UDP_LITE: u8 = 136;
}

impl Header {
    /// A header without options and with its checksum, for `payload` bytes.
    #[must_use]
    pub fn new(protocol: u8, source: Ipv4Addr, destination: Ipv4Addr, time_to_live: u8, payload: usize) -> Self {
        let mut header = Self::unsummed(protocol, source, destination, time_to_live, payload);
        header.set_checksum();
        header
    }

    /// The same, with its checksum to be set once all is in it.
    #[must_use]
    #[inline]
    pub fn unsummed(protocol: u8, source: Ipv4Addr, destination: Ipv4Addr, time_to_live: u8, payload: usize) -> Self {
        Self {
            version_and_length: 0x45,
            traffic_class: 0,
            total_length: ((HEADER + payload) as u16).into(),
            identification: 0.into(),
            fragment: DO_NOT_FRAGMENT.into(),
            time_to_live,
            protocol,
            checksum: 0.into(),
            source: source.octets(),
            destination: destination.octets(),
        }
    }

    /// Writes its checksum anew. For a header without options.
    #[inline]
    pub fn set_checksum(&mut self) {
        self.checksum = 0.into();
        let bytes: [u8; HEADER] = zerocopy::transmute!(*self);
        self.checksum = checksum::of_header(&bytes).into();
    }

    /// Whose it is.
    #[must_use]
    pub const fn source(&self) -> Ipv4Addr {
        let [a, b, c, d] = self.source;
        Ipv4Addr::new(a, b, c, d)
    }

    /// Whom it is for.
    #[must_use]
    pub const fn destination(&self) -> Ipv4Addr {
        let [a, b, c, d] = self.destination;
        Ipv4Addr::new(a, b, c, d)
    }

    /// Bytes of the header with its options.
    #[must_use]
    pub const fn length(&self) -> usize {
        (self.version_and_length & 0xf) as usize * 4
    }

    /// Whether it is a part of a packet.
    #[must_use]
    pub fn is_fragment(&self) -> bool {
        self.fragment.get() & (MORE_FRAGMENTS | FRAGMENT_OFFSET) != 0
    }

    /// Where a fragment's payload begins in that of its packet, in bytes.
    #[must_use]
    pub fn fragment_offset(&self) -> usize {
        usize::from(self.fragment.get() & FRAGMENT_OFFSET) * 8
    }
}

/// The header of a packet whose first stretch is `front`, and which has `length` bytes in all. The options are between
/// [`HEADER`] and [`Header::length`]; the payload ends at `total_length`, which may be before the end.
#[inline(always)]
pub fn parse(front: &[u8], length: usize) -> Result<&Header, Malformed> {
    let (header, _) = Header::ref_from_prefix(front).map_err(|_| Malformed::Short)?;
    if header.version_and_length >> 4 != 4 {
        return Err(Malformed::Version);
    }
    let whole = front.get(..header.length()).ok_or(Malformed::Short)?;
    let total = usize::from(header.total_length.get());
    if whole.len() < HEADER || total < whole.len() {
        return Err(Malformed::Length);
    }
    if total > length {
        return Err(Malformed::Short);
    }
    let sum = match whole.first_chunk::<HEADER>() {
        Some(plain) if whole.len() == HEADER => checksum::of_header(plain),
        _ => checksum::of(whole),
    };
    if sum != 0 {
        return Err(Malformed::Checksum);
    }
    Ok(header)
}
