//! The header of IPv6: RFC 8200.

use core::net::Ipv6Addr;

use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    network_endian::{U16, U32},
};

use crate::Malformed;

/// The fixed header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// 6, the traffic class, and the flow label.
    pub version_class_flow: U32,
    /// Bytes behind this header.
    pub payload_length: U16,
    /// What is behind it: a protocol, or an extension header.
    pub next_header: u8,
    /// Routers that it may still pass.
    pub hop_limit: u8,
    source: [u8; 16],
    destination: [u8; 16],
}

/// Bytes of a [`Header`].
pub const HEADER: usize = size_of::<Header>();
/// Each link carries packets of this length: RFC 8200, 5.
pub const LEAST_MTU: usize = 1280;
/// Each host takes packets of this length once put together: RFC 8200, 5.
pub const LEAST_REASSEMBLY: usize = 1500;

/// Extension headers: RFC 8200, 4.
pub mod extension {
    /// Options for each router.
    pub const HOP_BY_HOP: u8 = 0;
    /// Routers to pass.
    pub const ROUTING: u8 = 43;
    /// A part of a packet.
    pub const FRAGMENT: u8 = 44;
    /// Nothing follows.
    pub const NONE: u8 = 59;
    /// Options for the destination.
    pub const DESTINATION: u8 = 60;
}

/// The extension header of a fragment: RFC 8200, 4.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Fragment {
    /// What is behind it.
    pub next_header: u8,
    /// Zero when sent.
    pub reserved: u8,
    /// The place in units of eight bytes, times 8; the lowest bit says that more follow.
    pub offset_and_more: U16,
    /// What fragments of one packet have in common.
    pub identification: U32,
}

impl Fragment {
    /// Where its payload begins in that of its packet, in bytes.
    #[must_use]
    pub fn offset(&self) -> usize {
        usize::from(self.offset_and_more.get() & !7)
    }

    /// Whether it is not the last one.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.offset_and_more.get() & 1 != 0
    }
}

impl Header {
    /// A header for `payload` bytes.
    #[must_use]
    pub fn new(next_header: u8, source: Ipv6Addr, destination: Ipv6Addr, hop_limit: u8, payload: usize) -> Self {
        Self {
            version_class_flow: 0x6000_0000.into(),
            payload_length: (payload as u16).into(),
            next_header,
            hop_limit,
            source: source.octets(),
            destination: destination.octets(),
        }
    }

    /// Whose it is.
    #[must_use]
    pub fn source(&self) -> Ipv6Addr {
        self.source.into()
    }

    /// Whom it is for.
    #[must_use]
    pub fn destination(&self) -> Ipv6Addr {
        self.destination.into()
    }

    /// Differentiated services and congestion notification.
    #[must_use]
    pub fn traffic_class(&self) -> u8 {
        (self.version_class_flow.get() >> 20) as u8
    }

    /// Writes differentiated services and congestion notification.
    pub fn set_traffic_class(&mut self, class: u8) {
        self.version_class_flow = (self.version_class_flow.get() & !0x0ff0_0000 | u32::from(class) << 20).into();
    }
}

/// The fixed header of a packet whose first stretch is `front`, and which has `length` bytes in all. The payload may
/// end before them.
pub fn parse(front: &[u8], length: usize) -> Result<&Header, Malformed> {
    let (header, _) = Header::ref_from_prefix(front).map_err(|_| Malformed::Short)?;
    if header.version_class_flow.get() >> 28 != 6 {
        return Err(Malformed::Version);
    }
    if HEADER + usize::from(header.payload_length.get()) > length {
        return Err(Malformed::Short);
    }
    Ok(header)
}
