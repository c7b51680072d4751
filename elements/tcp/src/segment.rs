//! A segment that has come, taken apart.

use bytes::Bytes;
use packets::{
    Checksum, Head, Packet, Parts,
    checksum::Sum,
    ipv4::protocol::TCP,
    tcp::{Flags, HEADER, Header, Options, SequenceNumber, Timestamps, parse},
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
    #[inline(always)]
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

    /// What a header says, without the rest. The parts are made in their place, where most have nothing: to move them
    /// would cost more than all else.
    #[inline(always)]
    pub fn of(header: &Header, arrival: &Arrival) -> Self {
        Self {
            sequence: header.sequence(),
            acknowledgment: header.acknowledgment(),
            flags: header.flags(),
            window: header.window.get(),
            urgent: header.urgent.get(),
            options: Options::default(),
            head: Head::default(),
            parts: Parts::new(),
            length: 0,
            size: 0,
            congested: arrival.traffic_class & NOTIFICATION == NOTIFICATION,
        }
    }

    /// One without a payload of its own, of so many bytes, and without options but the clocks.
    #[inline(always)]
    pub fn usual(header: &Header, timestamps: Option<Timestamps>, length: usize, size: u32) -> Self {
        Self {
            sequence: header.sequence(),
            acknowledgment: header.acknowledgment(),
            flags: header.flags(),
            window: header.window.get(),
            urgent: 0,
            options: Options { timestamps, ..Options::default() },
            head: Head::default(),
            parts: Parts::new(),
            length: length as u32,
            size: size_of_each(size, length as u32),
            congested: false,
        }
    }

    /// Takes options and payload out of the packet, whose header is so long.
    pub fn take(&mut self, header: usize, packet: &mut Packet) {
        self.options.read(packet.front().get(HEADER..header).unwrap_or(&[]));
        packet.advance(header);
        self.length = packet.len() as u32;
        let size = packet.offload.segmentation.map_or(0, |segmentation| u32::from(segmentation.size));
        self.size = size_of_each(size, self.length);
        self.head = core::mem::take(&mut packet.head);
        if !packet.parts.is_empty() {
            self.parts = core::mem::take(&mut packet.parts);
            self.parts.retain(|part| !part.is_empty());
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

/// The size of a segment, of those that a device has put together, if it did.
const fn size_of_each(told: u32, length: u32) -> u32 {
    if told == 0 || told > length { length } else { told }
}

fn is_right(arrival: &Arrival, packet: &Packet, length: usize) -> bool {
    let sum = Sum::new().with_pseudo_header(arrival.from, arrival.to, TCP, length);
    packet.stretches().fold(sum, Sum::with).is_right()
}
