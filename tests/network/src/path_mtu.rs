//! The router in the middle of a path, which says that a packet is too long: RFC 1191 and RFC 8201.

use std::net::{Ipv4Addr, Ipv6Addr};

use packets::{checksum::Sum, ethernet, ipv4, ipv6};
use zerocopy::IntoBytes;

/// The router's own addresses.
const HARDWARE: ethernet::Address = ethernet::Address([2, 0, 0, 0, 0, 0xfe]);
const IPV4: Ipv4Addr = Ipv4Addr::new(192, 0, 2, 254);
const IPV6: Ipv6Addr = Ipv6Addr::new(0xfd00, 0, 0, 0, 0, 0, 0, 0xfe);

/// Bytes of a packet that are sent back over IPv4: RFC 1812, 4.3.2.3.
const QUOTED: usize = 548;

/// The frame that tells the sender of another one that packets may have at most `mtu` bytes; none for what is not IP.
#[must_use]
pub fn too_long(frame: &[u8], mtu: usize) -> Option<Vec<u8>> {
    let (header, packet) = ethernet::parse(frame)?;
    let (kind, answer) = match header.kind.get() {
        ethernet::IPV4 => (ethernet::IPV4, fragmentation_needed(packet, mtu)?),
        ethernet::IPV6 => (ethernet::IPV6, packet_too_big(packet, mtu)?),
        _ => return None,
    };
    let header = ethernet::Header { destination: header.source, source: HARDWARE, kind: kind.into() };
    Some([header.as_bytes(), &answer].concat())
}

/// Type 3, code 4: RFC 1191, 4.
fn fragmentation_needed(packet: &[u8], mtu: usize) -> Option<Vec<u8>> {
    let to = ipv4::parse(packet, packet.len()).ok()?.source();
    let mut message = vec![3, 4, 0, 0, 0, 0];
    message.extend((mtu as u16).to_be_bytes());
    message.extend(&packet[..packet.len().min(QUOTED)]);
    put_checksum(&mut message, Sum::new());
    let header = ipv4::Header::new(ipv4::protocol::ICMP, IPV4, to, 64, message.len());
    Some([header.as_bytes(), &message].concat())
}

/// Type 2: RFC 4443, 3.2.
fn packet_too_big(packet: &[u8], mtu: usize) -> Option<Vec<u8>> {
    let to = ipv6::parse(packet, packet.len()).ok()?.source();
    let mut message = vec![2, 0, 0, 0];
    message.extend((mtu as u32).to_be_bytes());
    message.extend(&packet[..packet.len().min(1_280 - ipv6::HEADER - 8)]);
    let pseudo = Sum::new().with_pseudo_header(IPV6.into(), to.into(), ipv4::protocol::ICMPV6, message.len());
    put_checksum(&mut message, pseudo);
    let header = ipv6::Header::new(ipv4::protocol::ICMPV6, IPV6, to, 64, message.len());
    Some([header.as_bytes(), &message].concat())
}

fn put_checksum(message: &mut [u8], sum: Sum) {
    let checksum = sum.with(message).finish();
    message[2..4].copy_from_slice(&checksum.to_be_bytes());
}
