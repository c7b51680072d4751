//! What an interface is like, and what it is asked for.

use packets::{SegmentationKind, ethernet::Address};

/// What an interface is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Its address on an Ethernet, whose header each packet begins with. Without one there is no such header: packets
    /// begin with that of IP.
    pub address: Option<Address>,
    /// Bytes of the longest packet without its Ethernet header that is sent and received in one piece.
    pub mtu: usize,
    /// Queues, at least one, each for both directions. Each is best used by one processor.
    pub queues: usize,
    /// What it does for the protocols.
    pub offloads: Offloads,
    /// Bytes of the longest packet, all headers counted, that it cuts into segments; 0 if it cuts none.
    pub largest: usize,
}

bitflags::bitflags! {
    /// What a device does for the protocols.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Offloads: u16 {
        /// It completes checksums of TCP and UDP that are [`packets::Checksum::Partial`].
        const SEND_CHECKSUM = 1;
        /// It cuts TCP over IPv4 into segments.
        const SEND_TCP_IPV4 = 1 << 1;
        /// It cuts TCP over IPv6 into segments.
        const SEND_TCP_IPV6 = 1 << 2;
        /// It cuts UDP into datagrams.
        const SEND_UDP = 1 << 3;
        /// It looks at checksums, and says of those that are right that they are.
        const RECEIVE_CHECKSUM = 1 << 4;
        /// It may put several segments together to one packet.
        const RECEIVE_COALESCED = 1 << 5;
    }

    /// What a queue interrupts for.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Interrupts: u8 {
        /// Packets have come.
        const RECEIVED = 1;
        /// It has room for packets to be sent again.
        const ROOM = 2;
    }
}

impl Offloads {
    /// The one that cuts packets of this kind.
    #[must_use]
    pub const fn of(kind: SegmentationKind) -> Self {
        match kind {
            SegmentationKind::TcpIpv4 => Self::SEND_TCP_IPV4,
            SegmentationKind::TcpIpv6 => Self::SEND_TCP_IPV6,
            SegmentationKind::Udp => Self::SEND_UDP,
        }
    }
}

/// Which packets are received besides those for the interface's own address and for everyone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// Those for any group: who joins one looks at what comes itself.
    #[default]
    Groups,
    /// All that pass on the link.
    Everything,
    /// No others.
    Own,
}
