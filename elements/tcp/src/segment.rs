//! A segment that has come, taken apart.

use bytes::Bytes;
use packets::{
    Checksum, Head, Packet, Parts,
    checksum::Sum,
    ipv4::protocol::TCP,
    tcp::{Flags, HEADER, Header, Options, SequenceNumber, parse},
};

use crate::{Arrival, Statistics};

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
    /// Looks at a packet's header. `None`: it is malformed, or its checksum is wrong, which is counted.
    pub fn header(arrival: &Arrival, packet: &Packet, statistics: &mut Statistics) -> Option<Header> {
        let length = packet.len();
        let Ok((header, _)) = parse(packet.front(), length) else {
            statistics.malformed += 1;
            return None;
        };
        if packet.offload.checksum == Checksum::Complete && !is_right(arrival, packet, length) {
            statistics.bad_checksums += 1;
            return None;
        }
        Some(*header)
    }

    /// Takes a packet apart that has this header.
    pub fn take(header: &Header, arrival: &Arrival, packet: &mut Packet) -> Self {
        let options = Options::parse(packet.front().get(HEADER..header.length()).unwrap_or(&[]));
        packet.advance(header.length());
        let length = packet.len() as u32;
        let size = packet.offload.segmentation.map(|segmentation| u32::from(segmentation.size));
        let (head, mut parts) = (core::mem::take(&mut packet.head), core::mem::take(&mut packet.parts));
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
            congested: arrival.traffic_class & NOTIFICATION == NOTIFICATION,
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
