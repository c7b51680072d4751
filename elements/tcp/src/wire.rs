//! Segments on their way out: the header and options in a packet's head, and what the network below shall do with them.

use packets::{
    Checksum, Offload, Packet, Segmentation, SegmentationKind,
    checksum::Sum,
    ipv4::protocol::TCP,
    tcp::{CHECKSUM_OFFSET, Flags, HEADER, Header, LONGEST_OPTIONS, Options, SequenceNumber},
};

use crate::tuple::Tuple;

/// What a header says.
#[derive(Debug)]
pub struct Words<'a> {
    pub sequence: SequenceNumber,
    pub acknowledgment: SequenceNumber,
    pub flags: Flags,
    pub window: u16,
    pub urgent: u16,
    pub options: &'a Options,
}

/// A packet that has its header and options. The payload comes behind.
pub fn packet(tuple: &Tuple, words: &Words<'_>) -> Packet {
    let mut packet = Packet::default();
    begin(&mut packet, tuple, words);
    packet
}

/// The same in its place: to move a packet costs as much as its header.
#[inline(always)]
pub fn begin(packet: &mut Packet, tuple: &Tuple, words: &Words<'_>) {
    match words.options.only_timestamps() {
        Some(usual) => {
            put_header(packet, tuple, words, usual.len());
            packet.head.push_array(&usual);
        }
        None => {
            let mut options = [0; LONGEST_OPTIONS];
            let length = words.options.emit(&mut options);
            put_header(packet, tuple, words, length);
            packet.head.push(&options[..length]);
        }
    }
}

#[inline(always)]
fn put_header(packet: &mut Packet, tuple: &Tuple, words: &Words<'_>, options: usize) {
    let ports = (tuple.local_port, tuple.remote_port);
    let mut header = Header::new(ports, words.sequence, words.acknowledgment, words.flags, options);
    header.window = words.window.into();
    header.urgent = words.urgent.into();
    let header: [u8; HEADER] = zerocopy::transmute!(header);
    packet.head.push_array(&header);
}

/// Finishes a packet: the pseudo header's sum (RFC 9293, 3.1), and how long its segments are if it is several.
pub fn seal(tuple: &Tuple, packet: &mut Packet, payload: usize, size: u16) {
    let v4 = tuple.is_v4();
    let (local, remote) = if v4 { tuple.as_v4() } else { (tuple.local.into(), tuple.remote.into()) };
    let sum = Sum::new().with_pseudo_header(local, remote, TCP, packet.len()).folded();
    packet.head.bytes_mut()[CHECKSUM_OFFSET..CHECKSUM_OFFSET + 2].copy_from_slice(&sum.to_be_bytes());
    let kind = if v4 { SegmentationKind::TcpIpv4 } else { SegmentationKind::TcpIpv6 };
    packet.offload = Offload {
        checksum: Checksum::Partial { start: 0, offset: CHECKSUM_OFFSET as u16 },
        segmentation: (payload > usize::from(size)).then_some(Segmentation { kind, size }),
    };
}

/// Bytes of the header with the options that a connection's segments always have: timestamps or none.
pub const fn header_length(timestamps: bool) -> usize {
    if timestamps { HEADER + 12 } else { HEADER }
}
