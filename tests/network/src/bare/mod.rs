//! Our TCP over as little IP as there can be: no neighbours, no fragments, no routes. So TCP is tested alone, and
//! before there is more.

mod icmp;
mod ip;

use std::net::IpAddr;

use packets::{Bytes, Instant, Offload, Packet, Segmentation, SegmentationKind, ipv4, ipv6};
use tcp::{Arrival, Limits, Tcp};

pub use ip::Ip;

/// Bytes of a header of TCP with all options.
const LONGEST_HEADER: usize = 60;

/// TCP, and what is below.
pub struct Machine {
    /// All sockets.
    pub tcp: Tcp,
    /// What carries their segments.
    pub ip: Ip,
}

impl Machine {
    /// A machine with these addresses, whose interface takes IP packets of so many bytes.
    #[must_use]
    pub fn new(addresses: Vec<IpAddr>, mtu: usize, secret: [u8; 32], limits: Limits) -> Self {
        Self { tcp: Tcp::new(secret, limits), ip: Ip::new(addresses, mtu) }
    }

    /// Takes an IP packet. What is no whole one, or for somebody else, is dropped.
    pub fn receive(&mut self, now: Instant, packet: Vec<u8>) {
        self.receive_gathered(now, packet, 0);
    }

    /// As [`Machine::receive`], of a packet that a device may have put together: of segments with so many bytes of
    /// payload, if it has more.
    pub fn receive_gathered(&mut self, now: Instant, packet: Vec<u8>, size: u16) {
        let Some(header) = Header::parse(&packet) else { return };
        if !self.ip.has(header.to) {
            return;
        }
        let mut payload = Packet::received(Bytes::from(packet), Offload::default());
        payload.truncate(header.end);
        payload.advance(header.length);
        let kind = if header.from.is_ipv4() { SegmentationKind::TcpIpv4 } else { SegmentationKind::TcpIpv6 };
        let several = size > 0 && payload.len() > usize::from(size) + LONGEST_HEADER;
        payload.offload.segmentation = several.then_some(Segmentation { kind, size });
        match header.protocol {
            ipv4::protocol::TCP => self.tcp.receive(now, &mut self.ip, &header.arrival(), payload),
            ipv4::protocol::ICMP | ipv4::protocol::ICMPV6 => icmp::receive(self, now, &header, &payload.to_vec()),
            _ => {}
        }
    }
}

/// What the simulator wants to know of a header of IP.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// Whose it is.
    pub from: IpAddr,
    /// Whom it is for.
    pub to: IpAddr,
    /// What follows.
    pub protocol: u8,
    /// Its own bytes.
    pub length: usize,
    /// Where the packet ends: behind it may be padding.
    pub end: usize,
    traffic_class: u8,
    hop_limit: u8,
}

impl Header {
    /// The header at the beginning of a packet that is no fragment.
    #[must_use]
    pub fn parse(packet: &[u8]) -> Option<Self> {
        match packet.first()? >> 4 {
            4 => ipv4::parse(packet, packet.len()).ok().filter(|header| !header.is_fragment()).map(Self::of_v4),
            6 => ipv6::parse(packet, packet.len()).ok().map(Self::of_v6),
            _ => None,
        }
    }

    fn of_v4(header: &ipv4::Header) -> Self {
        Self {
            from: header.source().into(),
            to: header.destination().into(),
            protocol: header.protocol,
            length: header.length(),
            end: header.total_length.get().into(),
            traffic_class: header.traffic_class,
            hop_limit: header.time_to_live,
        }
    }

    fn of_v6(header: &ipv6::Header) -> Self {
        Self {
            from: header.source().into(),
            to: header.destination().into(),
            protocol: header.next_header,
            length: ipv6::HEADER,
            end: ipv6::HEADER + usize::from(header.payload_length.get()),
            traffic_class: header.traffic_class(),
            hop_limit: header.hop_limit,
        }
    }

    fn arrival(&self) -> Arrival {
        let (traffic_class, hop_limit) = (self.traffic_class, self.hop_limit);
        Arrival { from: self.from, to: self.to, interface: ip::INTERFACE, traffic_class, hop_limit }
    }
}
