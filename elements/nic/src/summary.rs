//! What a packet is, in a few words.

use core::{
    fmt::{Result, Write},
    net::IpAddr,
};

use packets::{
    Packet, ethernet,
    ipv4::{self, protocol},
    ipv6, tcp, udp,
};

/// Writes them. A packet's bytes are foreign: what cannot be is said to be wrong.
pub fn write(out: &mut impl Write, packet: &Packet, has_ethernet: bool) -> Result {
    // All headers are within these.
    let mut bytes = [0; 192];
    let length = packet.copy_to(&mut bytes);
    let front = &bytes[..length];
    if !has_ethernet {
        return ip(out, front, packet.len());
    }
    let Some((header, rest)) = ethernet::parse(front) else { return out.write_str("no frame") };
    write!(out, "{} > {}, ", header.source, header.destination)?;
    match header.kind.get() {
        ethernet::IPV4 | ethernet::IPV6 => ip(out, rest, packet.len() - ethernet::HEADER),
        ethernet::ARP => out.write_str("ARP"),
        other => write!(out, "type {other:#06x}"),
    }
}

fn ip(out: &mut impl Write, front: &[u8], length: usize) -> Result {
    if let Ok(header) = ipv4::parse(front, length) {
        let addresses = (header.source().into(), header.destination().into());
        let payload = usize::from(header.total_length.get()) - header.length();
        if header.fragment_offset() > 0 {
            let (source, destination) = addresses;
            return write!(out, "{source} > {destination}: fragment of {payload} from {}", header.fragment_offset());
        }
        return transport(out, addresses, header.protocol, &front[header.length()..], payload);
    }
    match ipv6::parse(front, length) {
        Ok(header) => {
            let addresses = (header.source().into(), header.destination().into());
            let payload = usize::from(header.payload_length.get());
            transport(out, addresses, header.next_header, &front[ipv6::HEADER..], payload)
        }
        Err(reason) => write!(out, "no IP: {reason:?}"),
    }
}

fn transport(
    out: &mut impl Write,
    (source, destination): (IpAddr, IpAddr),
    protocol: u8,
    front: &[u8],
    length: usize,
) -> Result {
    match protocol {
        protocol::TCP if let Ok((header, _)) = tcp::parse(front, length) => {
            let (from, to) = (header.source.get(), header.destination.get());
            let (sequence, acknowledgment) = (header.sequence().0, header.acknowledgment().0);
            let (flags, window) = (header.flags(), header.window.get());
            let payload = length - header.length();
            write!(out, "{source}.{from} > {destination}.{to}: TCP ")?;
            bitflags::parser::to_writer(&flags, &mut *out)?;
            write!(out, " sequence {sequence} acknowledgment {acknowledgment} window {window} payload {payload}")
        }
        protocol::UDP if let Ok(header) = udp::parse(front, length) => {
            let (from, to) = (header.source.get(), header.destination.get());
            let payload = usize::from(header.length.get()) - udp::HEADER;
            write!(out, "{source}.{from} > {destination}.{to}: UDP payload {payload}")
        }
        protocol::ICMP | protocol::ICMPV6 if let Some(kind) = front.first() => {
            write!(out, "{source} > {destination}: ICMP type {kind}")
        }
        _ => write!(out, "{source} > {destination}: protocol {protocol}, payload {length}"),
    }
}
