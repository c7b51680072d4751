//! Ethernet II: IEEE 802.3, 3.2.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned, network_endian::U16};

/// An address of a network interface: EUI-48.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    FromBytes,
    IntoBytes,
    Immutable,
    KnownLayout,
    Unaligned,
)]
#[repr(C)]
pub struct Address(pub [u8; 6]);

impl Address {
    /// Everyone on the link.
    pub const BROADCAST: Self = Self([0xff; 6]);

    /// Whether it is for several interfaces; the broadcast address is.
    #[must_use]
    pub const fn is_multicast(self) -> bool {
        self.0[0] & 1 != 0
    }
}

impl core::fmt::Display for Address {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Header {
    /// Whom it is for.
    pub destination: Address,
    /// Whose it is.
    pub source: Address,
    /// What it carries: [`IPV4`], [`ARP`], [`IPV6`] and others.
    pub kind: U16,
}

/// Bytes of a [`Header`].
pub const HEADER: usize = size_of::<Header>();

/// The kind of IPv4: RFC 894.
pub const IPV4: u16 = 0x0800;
/// The kind of ARP: RFC 826.
pub const ARP: u16 = 0x0806;
/// The kind of IPv6: RFC 2464.
pub const IPV6: u16 = 0x86dd;

/// The header of a frame, and what is behind it in the same stretch.
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<(&Header, &[u8])> {
    Header::ref_from_prefix(bytes).ok()
}
