//! A segment that has come, taken apart.

use core::net::SocketAddr;

use bytes::Bytes;
use packets::{
    Checksum, Head, Packet, Parts,
    checksum::Sum,
    ipv4::protocol::TCP,
    tcp::{Flags, Header, Options, SequenceNumber, parse},
};

use crate::{Arrival, Statistics, tuple::Tuple};

/// The bits of congestion notification in a traffic class: RFC 3168, 5.
const NOTIFICATION: u8 = 3;

#[derive(Clone, Debug)]
pub struct Segment {
    pub sequence: SequenceNumber,
    pub acknowledgment: SequenceNumber,
    pub flags: Flags,
    pub window: u16,
    pub urgent: u16,
    pub options: Options,
    /// The payload: a short one may lie in the head that it came with, all others in parts.
    pub head: Head,
    pub parts: Parts,
    /// Bytes of payload.
    pub length: u32,
    /// Bytes of payload of each segment that it was put together from.
    pub size: u32,
    /// A router has marked it: RFC 3168.
    pub congested: bool,
}

impl Segment {
    /// Takes a packet apart. `None`: it is malformed, or its checksum is wrong, which is counted.
    pub fn parse(arrival: &Arrival, mut packet: Packet, statistics: &mut Statistics) -> Option<(Tuple, Self)> {
        let length = packet.len();
        let Ok((header, options)) = parse(packet.front(), length) else {
            statistics.malformed += 1;
            return None;
        };
        let (header, options) = (*header, Options::parse(options));
        if packet.offload.checksum == Checksum::Complete && !is_right(arrival, &packet, length) {
            statistics.bad_checksums += 1;
            return None;
        }
        let size = packet.offload.segmentation.map(|segmentation| u32::from(segmentation.size));
        packet.advance(header.length());
        let tuple = Tuple::new(
            SocketAddr::new(arrival.to, header.destination.get()),
            SocketAddr::new(arrival.from, header.source.get()),
        );
        let congested = arrival.traffic_class & NOTIFICATION == NOTIFICATION;
        Some((tuple, Self::new(&header, options, packet, size, congested)))
    }

    fn new(header: &Header, options: Options, packet: Packet, size: Option<u32>, congested: bool) -> Self {
        let length = packet.len() as u32;
        let Packet { head, mut parts, .. } = packet;
        if parts.len() > 1 {
            parts.retain(|part| !part.is_empty());
        }
        Self {
            sequence: header.sequence(),
            acknowledgment: header.acknowledgment(),
            flags: header.flags(),
            window: header.window.get(),
            urgent: header.urgent.get(),
            options,
            head,
            parts,
            length,
            size: size.filter(|size| *size != 0).map_or(length, |size| size.min(length)),
            congested,
        }
    }

    /// The payload as parts, for what is done seldom: what lies in the head is copied.
    pub fn gather(&mut self) -> &mut Parts {
        if !self.head.is_empty() {
            self.parts.insert(0, Bytes::copy_from_slice(self.head.bytes()));
            self.head.clear();
        }
        &mut self.parts
    }

    pub fn has(&self, flags: Flags) -> bool {
        self.flags.intersects(flags)
    }

    /// SEG.LEN: SYN and FIN count (RFC 9293, 3.4).
    pub fn span(&self) -> u32 {
        self.length + u32::from(self.has(Flags::SYN)) + u32::from(self.has(Flags::FIN))
    }

    /// The number behind all of it.
    pub fn end(&self) -> SequenceNumber {
        self.sequence + self.span()
    }
}

fn is_right(arrival: &Arrival, packet: &Packet, length: usize) -> bool {
    let sum = Sum::new().with_pseudo_header(arrival.from, arrival.to, TCP, length);
    packet.stretches().fold(sum, Sum::with).is_right()
}
