//! What IP hands up, and what it is handed.

use alloc::boxed::Box;
use core::net::IpAddr;

use packets::{Bytes, Packet, ethernet, ipv4, ipv6};

use crate::error::Failure;

/// The header that a packet came with.
#[derive(Clone, Copy, Debug)]
pub enum Header {
    /// Without its options.
    V4(ipv4::Header),
    /// Without its extension headers.
    V6(ipv6::Header),
}

/// Whom a packet was for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cast {
    /// One of our addresses.
    Ours,
    /// Everyone on a link.
    Broadcast,
    /// A group that the interface has joined.
    Group,
    /// An address that we may be about to get: for the client of DHCP alone.
    Configuring,
}

/// How a packet has come.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// The interface's number.
    pub interface: u32,
    /// Its header.
    pub header: Header,
    /// Whom it was for.
    pub cast: Cast,
    /// Its frame was for several stations: no error is sent about it (RFC 1122, 3.2.2).
    pub for_several: bool,
    /// It was put together from fragments: RFC 6980 forbids that for neighbour discovery.
    pub fragmented: bool,
}

impl Arrived {
    /// Its source.
    #[must_use]
    pub fn from(&self) -> IpAddr {
        match &self.header {
            Header::V4(header) => header.source().into(),
            Header::V6(header) => header.source().into(),
        }
    }

    /// Its destination.
    #[must_use]
    pub fn to(&self) -> IpAddr {
        match &self.header {
            Header::V4(header) => header.destination().into(),
            Header::V6(header) => header.destination().into(),
        }
    }

    /// What is left of its time to live.
    #[must_use]
    pub const fn hop_limit(&self) -> u8 {
        match &self.header {
            Header::V4(header) => header.time_to_live,
            Header::V6(header) => header.hop_limit,
        }
    }

    /// Differentiated services and congestion notification.
    #[must_use]
    pub fn traffic_class(&self) -> u8 {
        match &self.header {
            Header::V4(header) => header.traffic_class,
            Header::V6(header) => header.traffic_class(),
        }
    }

    /// Whether it is IPv4.
    #[must_use]
    pub const fn is_ipv4(&self) -> bool {
        matches!(self.header, Header::V4(_))
    }

    /// The same as if it had been for us alone: for the errors that are sent about packets for groups too.
    #[must_use]
    pub const fn as_if_ours(&self) -> Self {
        Self { cast: Cast::Ours, for_several: false, ..*self }
    }

    /// Source and destination.
    #[must_use]
    pub fn ends(&self) -> (IpAddr, IpAddr) {
        (self.from(), self.to())
    }
}

/// What ICMP, or the link, says about a packet of ours.
#[derive(Clone, Debug)]
pub struct Told {
    /// Our address.
    pub from: IpAddr,
    /// Whom the packet was for.
    pub to: IpAddr,
    /// What it carried.
    pub protocol: u8,
    /// Its first bytes behind the headers of IP, at least 8.
    pub transport: Bytes,
    /// What happened to it.
    pub failure: Failure,
    /// Who said so; `None`: we found out by ourselves.
    pub by: Option<IpAddr>,
    /// Kind and code of the message that said so.
    pub message: [u8; 2],
}

/// What is known of a packet for a protocol above, which begins with that protocol's header now.
#[derive(Debug)]
pub struct Delivery {
    /// How it has come.
    pub arrived: Arrived,
    /// Which protocol.
    pub protocol: u8,
    /// Where the protocol's number stands in the packet.
    pub told_at: u32,
    /// It is an error of ICMP, and this is what it says.
    pub told: Option<Box<Told>>,
}

/// Whether a packet may be cut on its way: `IP_MTU_DISCOVER`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Cutting {
    /// By us if the path is known to be narrow, and by no router: what Linux does by default.
    #[default]
    Here,
    /// By anyone.
    Anywhere,
    /// By nobody: one that is too long is an error.
    Nowhere,
    /// By nobody, and what is known about the path does not count: to probe it.
    Probe,
}

/// The way of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The interface's number.
    pub interface: u32,
    /// Whom the frame is for.
    pub next: IpAddr,
    /// Its source.
    pub from: IpAddr,
    /// Its destination.
    pub to: IpAddr,
    /// The longest packet with its header of IP.
    pub mtu: usize,
    /// It may be for several: a group, or everyone on a link.
    pub several: bool,
    /// The station that has `next`, where that is known and confirmed.
    pub station: Option<ethernet::Address>,
}

/// A packet to be sent. Its checksum may be partial, with the place counted from its first byte.
#[derive(Debug)]
pub struct Departure {
    /// Its way.
    pub way: Way,
    /// What it carries.
    pub protocol: u8,
    /// Routers that it may pass; 0: as many as usual.
    pub hop_limit: u8,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// Whether it may be cut.
    pub cutting: Cutting,
    /// To a group that we have joined ourselves: we get it too (`IP_MULTICAST_LOOP`).
    pub to_ourselves: bool,
    /// From the header of its protocol to the end.
    pub packet: Packet,
}

/// How a packet goes that is as most are: cut here if it must be, to one station.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// What it carries.
    pub protocol: u8,
    /// As of a [`Departure`].
    pub hop_limit: u8,
    /// As of a [`Departure`].
    pub traffic_class: u8,
}

impl Departure {
    /// One as most are.
    #[must_use]
    pub const fn new(way: Way, protocol: u8, packet: Packet) -> Self {
        Self { way, protocol, hop_limit: 0, traffic_class: 0, cutting: Cutting::Here, to_ourselves: false, packet }
    }
}
