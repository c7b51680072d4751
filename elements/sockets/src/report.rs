//! What a network tells about itself: interfaces, addresses, routes, neighbours, sockets and counts. Doors make of it
//! what their programs ask for: rtnetlink(7), netdevice(7), `/proc/net`.

use core::net::{IpAddr, SocketAddr};

use crate::{Form, State};

/// Bytes of the longest name of an interface, with its NUL: Linux' `IFNAMSIZ`.
pub const NAME: usize = 16;

/// An interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its number, from 1 on.
    pub number: u32,
    /// Its name, with NULs behind it: `lo`, `eth0`.
    pub name: [u8; NAME],
    /// What is in front of its packets.
    pub medium: Medium,
    /// Bytes of its longest packet.
    pub mtu: u32,
    /// Packets go through.
    pub up: bool,
    /// What went through since the start.
    pub traffic: Traffic,
}

impl Interface {
    /// Its name without the NULs.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        self.name.split(|&byte| byte == 0).next().unwrap_or_default()
    }
}

/// What is in front of the packets of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// Nothing: it leads back to the machine.
    Loopback,
    /// Ethernet, with the interface's address.
    Ethernet([u8; 6]),
    /// Nothing: there is one other side.
    PointToPoint,
}

/// Counts of an interface: packets and bytes in each direction, and what was lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Traffic {
    pub received_bytes: u64,
    pub received_packets: u64,
    pub receive_errors: u64,
    pub receive_dropped: u64,
    pub received_multicast: u64,
    pub sent_bytes: u64,
    pub sent_packets: u64,
    pub send_dropped: u64,
}

/// An address of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The interface's number.
    pub interface: u32,
    /// The address.
    pub address: IpAddr,
    /// Bits of its network.
    pub length: u8,
    /// Whether it can be used.
    pub standing: Standing,
    /// Nobody said when it ends.
    pub lasting: bool,
}

/// Whether an address can be used: RFC 4862, 5.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Others are asked whether they have it.
    Tentative,
    /// It is this machine's.
    Ours,
    /// Somebody else has it.
    Duplicate,
}

/// A route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Which addresses it is for.
    pub destination: IpAddr,
    /// How many of the first bits count.
    pub length: u8,
    /// The router; without one the addresses are on the link.
    pub gateway: Option<IpAddr>,
    /// The interface's number.
    pub interface: u32,
    /// Of two for the same addresses the lower one wins.
    pub metric: u32,
    /// The source that packets get, if it is said.
    pub source: Option<IpAddr>,
    /// Who made it.
    pub origin: Origin,
}

/// Who has made a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It follows from an address.
    Connected,
    /// Somebody said so.
    Static,
    /// DHCP.
    Dhcp,
    /// A router.
    Advertised,
}

/// A neighbour on a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The interface's number.
    pub interface: u32,
    /// Its address.
    pub address: IpAddr,
    /// Where it is, if it has answered.
    pub hardware: Option<[u8; 6]>,
    /// It has answered lately.
    pub reachable: bool,
    /// It says that it is a router.
    pub router: bool,
}

/// A socket of anybody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Which; `None` of a connection that nobody owns any more.
    pub socket: Option<crate::Socket>,
    /// What it is.
    pub form: Form,
    /// What its connection does; of other sockets whether it has another side.
    pub state: State,
    /// Its own address.
    pub local: SocketAddr,
    /// The other side's.
    pub remote: Option<SocketAddr>,
    /// Bytes that wait to be sent.
    pub unsent: u32,
    /// Bytes that wait to be read.
    pub unread: u32,
    /// Messages that were lost for want of room.
    pub lost: u64,
}

/// Counts since the start, by the names of RFC 4293, 4022 and 4113.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// IPv4 and IPv6.
    pub ip: [IpCounts; 2],
    /// TCP.
    pub tcp: TcpCounts,
    /// UDP.
    pub udp: UdpCounts,
    /// UDP-Lite.
    pub udp_lite: UdpCounts,
    /// Sockets of TCP, UDP, raw ones and those of UDP-Lite that are there now.
    pub sockets: [u32; 4],
    /// Connections in TIME-WAIT, and those that nobody owns any more.
    pub lingering: [u32; 2],
}

/// Of a version of IP, with ICMP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct IpCounts {
    pub received: u64,
    pub header_errors: u64,
    pub address_errors: u64,
    pub unknown_protocols: u64,
    pub discarded: u64,
    pub delivered: u64,
    pub sent: u64,
    pub send_discarded: u64,
    pub no_routes: u64,
    pub reassembly_timeouts: u64,
    pub reassembly_wanted: u64,
    pub reassembled: u64,
    pub reassembly_failed: u64,
    pub fragmented: u64,
    pub fragments_refused: u64,
    pub fragments_made: u64,
    pub messages_received: u64,
    pub message_errors: u64,
    pub bad_checksums: u64,
    pub echoes_received: u64,
    pub echo_replies_sent: u64,
    pub unreachable_received: u64,
    pub messages_sent: u64,
}

/// Of TCP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TcpCounts {
    pub active_opens: u64,
    pub passive_opens: u64,
    pub failed_opens: u64,
    pub resets_received: u64,
    pub established: u64,
    pub received: u64,
    pub sent: u64,
    pub retransmitted: u64,
    pub receive_errors: u64,
    pub resets_sent: u64,
    pub bad_checksums: u64,
    pub accept_overflows: u64,
    pub timeouts: u64,
}

/// Of UDP.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UdpCounts {
    pub received: u64,
    pub no_ports: u64,
    pub receive_errors: u64,
    pub sent: u64,
    pub overflows: u64,
    pub bad_checksums: u64,
}
