//! One socket.

use alloc::vec::Vec;
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use packets::{Instant, Packet};

use super::{Local, Queue};
use crate::{complaint::Complaints, delivery::Cutting, error::Failure};

/// What a datagram costs in a queue beside its bytes.
pub(super) const OVERHEAD: usize = 256;

/// The family of a socket's addresses. Those of IPv4 are always told as such, also to sockets of IPv6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// IPv4.
    V4,
    /// IPv6, and IPv4 unless [`Settings::only_v6`] is set.
    V6,
}

/// The options of a socket: socket(7), ip(7), ipv6(7), udp(7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// `SO_REUSEADDR`: several may have one address and port if all say so.
    pub reuse_address: bool,
    /// `SO_REUSEPORT`: several share an address and port, each sender's datagrams go to one of them.
    pub reuse_port: bool,
    /// `IPV6_V6ONLY`.
    pub only_v6: bool,
    /// `SO_BROADCAST`.
    pub broadcast: bool,
    /// `SO_BINDTODEVICE`: the interface's number, or 0.
    pub interface: u32,
    /// `IP_TTL`, `IPV6_UNICAST_HOPS`; 0: as usual.
    pub hop_limit: u8,
    /// `IP_MULTICAST_TTL`, `IPV6_MULTICAST_HOPS`.
    pub group_hop_limit: u8,
    /// `IP_MULTICAST_LOOP`.
    pub group_loop: bool,
    /// `IP_MULTICAST_IF`: the interface's number, or 0.
    pub group_interface: u32,
    /// `IP_TOS`, `IPV6_TCLASS`.
    pub traffic_class: u8,
    /// `IP_MTU_DISCOVER`.
    pub cutting: Cutting,
    /// `SO_NO_CHECK`: no checksum over IPv4.
    pub no_checksum: bool,
    /// `UDP_GRO`: datagrams that came in one packet stay together.
    pub coalesced: bool,
    /// `IP_RECVERR`: errors are told to sockets that are not connected too, and soft ones.
    pub errors: bool,
    /// `SO_RCVBUF`: bytes that may wait, with what it costs to hold them.
    pub receive_limit: usize,
    /// `UDPLITE_SEND_CSCOV`: how many bytes a checksum covers, with the header's eight; 0: all.
    pub coverage: u16,
    /// `UDPLITE_RECV_CSCOV`: how many it must cover at least of what comes, if it does not cover all; 0: it must.
    pub least_coverage: Option<u16>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reuse_address: false,
            reuse_port: false,
            only_v6: false,
            broadcast: false,
            interface: 0,
            hop_limit: 0,
            group_hop_limit: 1,
            group_loop: true,
            group_interface: 0,
            traffic_class: 0,
            cutting: Cutting::Here,
            no_checksum: false,
            coalesced: false,
            errors: false,
            // Linux' rmem_default.
            receive_limit: 212_992,
            coverage: 0,
            least_coverage: None,
        }
    }
}

/// A datagram that has come.
#[derive(Clone, Debug)]
pub struct Datagram {
    /// The sender.
    pub from: SocketAddr,
    /// Our address that it was for, or a group's, or everyone's.
    pub to: SocketAddr,
    /// The interface's number.
    pub interface: u32,
    /// What is left of its time to live.
    pub hop_limit: u8,
    /// Differentiated services and congestion notification.
    pub traffic_class: u8,
    /// When it came.
    pub at: Instant,
    /// It is several datagrams of so many bytes each, the last one excepted.
    pub segment: Option<u16>,
    /// Its bytes, and nothing before them.
    pub payload: Packet,
}

impl Default for Datagram {
    /// An empty one from nobody to nobody.
    fn default() -> Self {
        let nobody = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
        let (interface, hop_limit, traffic_class, segment, at) = (0, 0, 0, None, Instant::default());
        Self { from: nobody, to: nobody, interface, hop_limit, traffic_class, at, segment, payload: Packet::default() }
    }
}

impl Datagram {
    /// Bytes of payload.
    #[must_use]
    pub fn len(&self) -> usize {
        self.payload.len()
    }

    /// Whether it is empty, which a datagram may be.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its bytes in one piece, copied.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        self.payload.to_vec()
    }

    pub(super) fn cost(&self) -> usize {
        self.len() + OVERHEAD
    }
}

#[derive(Debug)]
pub(super) struct Socket {
    pub family: Family,
    /// It is one of UDP-Lite.
    pub lite: bool,
    pub local: Option<(Local, u16)>,
    /// The address was given, not found when connecting: it stays when the connection goes.
    pub bound: bool,
    pub remote: Option<SocketAddr>,
    pub settings: Settings,
    pub queue: Queue,
    pub queued: usize,
    pub lost: u64,
    pub error: Option<Failure>,
    pub complaints: Complaints,
    pub groups: Vec<(u32, IpAddr)>,
    /// It is in the list of events.
    pub told: bool,
}

impl Socket {
    pub fn new(family: Family, lite: bool) -> Self {
        Self {
            family,
            lite,
            local: None,
            bound: false,
            remote: None,
            settings: Settings::default(),
            queue: Queue::new(),
            queued: 0,
            lost: 0,
            error: None,
            complaints: Complaints::default(),
            groups: Vec::new(),
            told: false,
        }
    }

    /// Whether it takes addresses of this family.
    pub fn speaks(&self, address: IpAddr) -> bool {
        match self.family {
            Family::V4 => address.is_ipv4(),
            Family::V6 => address.is_ipv6() || !self.settings.only_v6,
        }
    }

    /// All addresses of its family.
    pub const fn any(&self) -> Local {
        match self.family {
            Family::V4 => Local::AnyV4,
            Family::V6 => Local::AnyV6,
        }
    }

    /// Its address, unspecified if it has none.
    pub fn address(&self) -> IpAddr {
        match (self.local, self.family) {
            (Some((Local::Address(address), _)), _) => address,
            (_, Family::V4) => Ipv4Addr::UNSPECIFIED.into(),
            (_, Family::V6) => Ipv6Addr::UNSPECIFIED.into(),
        }
    }

    /// Whether it is for datagrams between these ends.
    pub fn hears(&self, from: SocketAddr, to: SocketAddr) -> bool {
        match self.local {
            Some((Local::Address(own), _)) => own == to.ip() && self.remote.is_none_or(|remote| remote == from),
            Some((Local::AnyV4, _)) => to.is_ipv4() && self.remote.is_none(),
            Some((Local::AnyV6, _)) => self.remote.is_none(),
            None => false,
        }
    }

    /// Whether it takes datagrams of an interface for addresses of a family.
    pub fn takes(&self, interface: u32, v4: bool) -> bool {
        let bound = self.settings.interface;
        (bound == 0 || bound == interface) && (!v4 || self.family == Family::V4 || !self.settings.only_v6)
    }
}
