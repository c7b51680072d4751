//! One socket.

use alloc::collections::VecDeque;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use packets::{Instant, Parts as Stretches};

use super::QUEUE;
use crate::{complaint::Complaints, delivery::Header, error::Failure};

/// What a socket gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Packets of IPv4 or IPv6 that carry a protocol.
    Raw(bool, u8),
    /// Answers to echoes with an identifier.
    Ping(bool, u16),
}

impl Kind {
    pub const fn is_ipv4(self) -> bool {
        let (Self::Raw(v4, _) | Self::Ping(v4, _)) = self;
        v4
    }
}

/// The options of a socket: socket(7), ip(7), raw(7), icmp(7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `SO_BROADCAST`.
    pub broadcast: bool,
    /// `SO_BINDTODEVICE`: the interface's number, or 0.
    pub interface: u32,
    /// `IP_TTL`, `IPV6_UNICAST_HOPS`; 0: as usual.
    pub hop_limit: u8,
    /// `IP_MULTICAST_TTL`, `IPV6_MULTICAST_HOPS`.
    pub group_hop_limit: u8,
    /// `IP_TOS`, `IPV6_TCLASS`.
    pub traffic_class: u8,
    /// `IP_RECVERR`.
    pub errors: bool,
    /// `ICMP_FILTER`, `ICMP6_FILTER`: kinds of messages that it does not get, a bit each.
    pub refused: [u32; 8],
    /// `SO_RCVBUF`.
    pub receive_limit: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            broadcast: false,
            interface: 0,
            hop_limit: 0,
            group_hop_limit: 1,
            traffic_class: 0,
            errors: false,
            refused: [0; 8],
            receive_limit: QUEUE,
        }
    }
}

impl Settings {
    /// Whether it wants messages of ICMP of this kind.
    pub const fn wants(&self, kind: u8) -> bool {
        self.refused[kind as usize / 32] >> (kind % 32) & 1 == 0
    }
}

/// A packet that has come.
#[derive(Clone, Debug)]
pub struct Received {
    /// Its header of IP. Linux hands that of IPv4 to raw sockets with the bytes.
    pub header: Header,
    /// The interface's number.
    pub interface: u32,
    /// When it came.
    pub at: Instant,
    /// From the protocol's header to the end.
    pub payload: Stretches,
}

#[derive(Debug)]
pub struct Socket {
    pub kind: Kind,
    pub local: Option<IpAddr>,
    pub remote: Option<SocketAddr>,
    pub settings: Settings,
    pub queue: VecDeque<Received>,
    pub queued: usize,
    pub lost: u64,
    pub error: Option<Failure>,
    pub complaints: Complaints,
    pub told: bool,
}

impl Socket {
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            local: None,
            remote: None,
            settings: Settings::default(),
            queue: VecDeque::new(),
            queued: 0,
            lost: 0,
            error: None,
            complaints: Complaints::default(),
            told: false,
        }
    }

    /// Its address, and what stands for its port.
    pub fn address(&self) -> SocketAddr {
        let any = if self.kind.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
        let port = match self.kind {
            Kind::Raw(_, protocol) => protocol.into(),
            Kind::Ping(_, identifier) => identifier,
        };
        SocketAddr::new(self.local.unwrap_or(any), port)
    }
}
