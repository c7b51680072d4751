//! What sockets are and are asked for.

use core::net::IpAddr;

/// A socket, by whatever number its network has for it. The number of a socket that is closed is nobody's for a long
/// time: calls answer [`crate::Error::Stale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Socket(pub u64);

/// The family of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6, and IPv4 by mapped addresses unless [`crate::Setting::OnlyV6`] says otherwise.
    V6,
}

/// What a socket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// TCP.
    Stream(Family),
    /// UDP.
    Datagrams(Family),
    /// UDP-Lite: RFC 3828.
    LiteDatagrams(Family),
    /// Echoes of ICMP: icmp(7), `IPPROTO_ICMP` as datagrams.
    Echoes(Family),
    /// Packets of a protocol over IP: raw(7).
    Raw(Family, u8),
}

impl Form {
    /// Its family.
    #[must_use]
    pub const fn family(self) -> Family {
        match self {
            Self::Stream(family)
            | Self::Datagrams(family)
            | Self::LiteDatagrams(family)
            | Self::Echoes(family)
            | Self::Raw(family, _) => family,
        }
    }

    /// Whether its bytes have no ends of messages in them.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        matches!(self, Self::Stream(_))
    }
}

/// Which directions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Nothing more is received.
    Read,
    /// Nothing more is sent.
    Write,
    /// Neither.
    Both,
}

/// A group, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Membership {
    /// The group's address.
    pub group: IpAddr,
    /// The interface by its number; 0: the one that leads to the group.
    pub interface: u32,
    /// Packets of this sender alone: RFC 3376, RFC 3810.
    pub source: Option<IpAddr>,
}
