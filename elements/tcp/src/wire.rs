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
    let usual = words.options.only_timestamps();
    let mut options = [0; LONGEST_OPTIONS];
    let length = usual.map_or_else(|| words.options.emit(&mut options), |usual| usual.len());
    let ports = (tuple.local_port, tuple.remote_port);
    let mut header = Header::new(ports, words.sequence, words.acknowledgment, words.flags, length);
    header.window = words.window.into();
    header.urgent = words.urgent.into();
    let mut packet = Packet::default();
    let header: [u8; HEADER] = zerocopy::transmute!(header);
    packet.head.push_array(&header);
    match usual {
        Some(usual) => packet.head.push_array(&usual),
        None => packet.head.push(&options[..length]),
    };
    packet
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
