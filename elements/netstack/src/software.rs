//! What a device cannot do, done here: checksums, segments, and fragments' stretches of memory.

use alloc::vec::Vec;

use packets::{
    Bytes, Checksum, Packet, Parts, Segmentation, SegmentationKind,
    checksum::Sum,
    ipv4, ipv6,
    tcp::{self, Flags},
    udp,
};
use zerocopy::{FromBytes, IntoBytes};

/// Completes a checksum that is partial. Its field is in the packet's head: the packet is one of ours.
pub fn complete(packet: &mut Packet) {
    let Checksum::Partial { start, offset } = packet.offload.checksum else { return };
    let (start, at) = (usize::from(start), usize::from(start) + usize::from(offset));
    let Some(head) = packet.head.bytes().get(start..) else { return };
    let sum = packet.parts.iter().fold(Sum::new().with(head), |sum, part| sum.with(part)).finish();
    // RFC 768: a computed zero is written as ones, for zero says that there is none.
    let sum = if usize::from(offset) == udp::CHECKSUM_OFFSET { udp::written(sum) } else { sum };
    if let Some(field) = packet.head.bytes_mut().get_mut(at..at + 2) {
        field.copy_from_slice(&sum.to_be_bytes());
    }
    packet.offload.checksum = Checksum::Complete;
}

/// Makes sure that the first `count` bytes are one stretch, if there are so many. At most 128 are asked for.
#[inline]
pub fn pull(packet: &mut Packet, count: usize) {
    // Nearly always.
    if packet.front().len() >= count || packet.front().len() == packet.len() {
        return;
    }
    gather(packet, count);
}

#[cold]
#[inline(never)]
fn gather(packet: &mut Packet, count: usize) {
    let mut bytes = [0; packets::HEAD];
    let have = packet.head.len();
    let count = packet.copy_to(&mut bytes[..count.min(packets::HEAD)]);
    if packet.head.push(&bytes[have..count]) {
        let (head, parts) = (core::mem::take(&mut packet.head), core::mem::take(&mut packet.parts));
        let mut rest = Packet { parts, ..Packet::default() };
        rest.advance(count - have);
        (packet.head, packet.parts) = (head, rest.parts);
    }
}

/// Makes it one stretch. For what is rare and short.
pub fn flatten(packet: &mut Packet) {
    if packet.head.is_empty() && packet.parts.len() <= 1 {
        return;
    }
    let bytes = Bytes::from(packet.to_vec());
    *packet = Packet::received(bytes, packet.offload);
}

/// All bytes of a packet as parts: its head is copied.
#[must_use]
pub fn into_parts(packet: Packet) -> Parts {
    let mut parts = packet.parts;
    if !packet.head.is_empty() {
        parts.insert(0, Bytes::copy_from_slice(packet.head.bytes()));
    }
    parts
}

/// `length` bytes of parts from `from` on, or fewer at the end. Nothing is copied.
#[must_use]
pub fn slice(parts: &[Bytes], mut from: usize, mut length: usize) -> Parts {
    let mut found = Parts::new();
    for part in parts {
        if from >= part.len() {
            from -= part.len();
            continue;
        }
        let count = length.min(part.len() - from);
        if count > 0 {
            found.push(part.slice(from..from + count));
        }
        (from, length) = (0, length - count);
    }
    found
}

/// Cuts a packet of IP with a segmentation into segments: what devices call TSO and USO. Each has a partial checksum.
/// `None` if it is none that can be cut.
#[must_use]
pub fn segments(packet: Packet) -> Option<Vec<Packet>> {
    let Segmentation { kind, size } = packet.offload.segmentation?;
    let Checksum::Partial { start, offset } = packet.offload.checksum else { return None };
    let (start, size) = (usize::from(start), usize::from(size).max(1));
    let header = match kind {
        SegmentationKind::Udp => udp::HEADER,
        _ => tcp::Header::ref_from_prefix(packet.head.bytes().get(start..)?).ok()?.0.length(),
    };
    let headers = packet.head.bytes().get(..start + header)?.to_vec();
    let mut rest = packet;
    rest.advance(headers.len());
    let parts = into_parts(rest);
    let total: usize = parts.iter().map(Bytes::len).sum();
    let cut = |(index, from): (usize, usize)| {
        let length = size.min(total - from);
        let mut segment = Packet { parts: slice(&parts, from, length), ..Packet::default() };
        let mut head = headers.clone();
        let (ip, transport) = head.split_at_mut(start);
        let last = from + length == total;
        adapt_ip(ip, index, header + length)?;
        adapt_transport(transport, kind, from, last, length)?;
        set_pseudo_sum(ip, transport, kind, header + length, offset.into())?;
        segment.head.push(&head).then_some(())?;
        segment.offload.checksum = Checksum::Partial { start: start as u16, offset };
        Some(segment)
    };
    (0..total.max(1)).step_by(size).enumerate().map(cut).collect()
}

/// The header of IP of segment `index` with `payload` bytes behind it.
fn adapt_ip(ip: &mut [u8], index: usize, payload: usize) -> Option<()> {
    if ip.first()? >> 4 == 6 {
        let extensions = ip.len().checked_sub(ipv6::HEADER)?;
        ipv6::Header::mut_from_prefix(ip).ok()?.0.payload_length = ((extensions + payload) as u16).into();
        return Some(());
    }
    let header = ipv4::Header::mut_from_bytes(ip).ok()?;
    header.total_length = ((ipv4::HEADER + payload) as u16).into();
    header.identification = header.identification.get().wrapping_add(index as u16).into();
    header.set_checksum();
    Some(())
}

/// The header of the transport for the payload from `from` on.
fn adapt_transport(bytes: &mut [u8], kind: SegmentationKind, from: usize, last: bool, length: usize) -> Option<()> {
    if kind == SegmentationKind::Udp {
        let header = udp::Header::mut_from_prefix(bytes).ok()?.0;
        header.length = ((udp::HEADER + length) as u16).into();
        return Some(());
    }
    let (old, _) = tcp::Header::read_from_prefix(bytes).ok()?;
    let mut flags = old.flags();
    if !last {
        flags.remove(Flags::FIN | Flags::PSH);
    }
    if from > 0 {
        // RFC 3168, 6.1.2: the window is reduced once.
        flags.remove(Flags::CWR);
    }
    let ports = (old.source.get(), old.destination.get());
    let options = old.length().checked_sub(tcp::HEADER)?;
    let (sequence, acknowledgment) = (old.sequence() + from as u32, old.acknowledgment());
    let mut new = tcp::Header::new(ports, sequence, acknowledgment, flags, options);
    // The urgent pointer counts from the sequence number: RFC 9293, 3.1.
    let urgent = usize::from(old.urgent.get()).saturating_sub(from) as u16;
    (new.window, new.urgent) = (old.window, urgent.into());
    new.write_to_prefix(bytes).ok()
}

/// Writes the sum of the pseudo header to the field of the checksum.
fn set_pseudo_sum(ip: &[u8], transport: &mut [u8], kind: SegmentationKind, length: usize, offset: usize) -> Option<()> {
    let (from, to) = if ip.first()? >> 4 == 6 {
        let header = ipv6::Header::ref_from_prefix(ip).ok()?.0;
        (header.source().into(), header.destination().into())
    } else {
        let header = ipv4::Header::ref_from_prefix(ip).ok()?.0;
        (header.source().into(), header.destination().into())
    };
    let protocol = if kind == SegmentationKind::Udp { ipv4::protocol::UDP } else { ipv4::protocol::TCP };
    let sum = Sum::new().with_pseudo_header(from, to, protocol, length).folded();
    transport.get_mut(offset..offset + 2)?.copy_from_slice(&sum.to_be_bytes());
    Some(())
}
