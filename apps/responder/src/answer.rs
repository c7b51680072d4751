//! What is said to a frame: it is turned round where it lies, so no checksum but that of ICMP changes.

use std::nic::{
    Address,
    packets::{Bytes, Offload, Packet, Parts, checksum, ethernet, ipv4, udp},
};
use std::prelude::v1::*;

/// Our address: what QEMU's user network gives its first machine.
const OURS: [u8; 4] = [10, 0, 2, 15];

const ETHERNET: usize = ethernet::HEADER;
/// Where ARP (RFC 826) and IPv4 have what is looked at, from the frame's beginning.
const ARP_OPERATION: usize = ETHERNET + 6;
const ARP_SENDER: usize = ETHERNET + 8;
const ARP_TARGET: usize = ETHERNET + 18;
const ARP_END: usize = ETHERNET + 28;
const IP_SOURCE: usize = ETHERNET + 12;
const IP_DESTINATION: usize = ETHERNET + 16;
const TRANSPORT: usize = ETHERNET + ipv4::HEADER;

/// Makes a packet its own answer; `false` if there is none. `ended` is set by a datagram that says so.
pub fn answer(packet: &mut Packet, address: Address, ended: &mut bool) -> bool {
    let mut bytes = packet.to_vec();
    let Some(length) = turned(&mut bytes, address, ended) else { return false };
    bytes.truncate(length);
    // A datagram whose sum was left to us has the same one on its way back.
    let checksum = packet.offload.checksum;
    let mut parts = Parts::new();
    parts.push(Bytes::from(bytes));
    *packet = Packet { parts, offload: Offload { checksum, segmentation: None }, ..Packet::default() };
    true
}

/// Turns a frame round; its length then.
fn turned(bytes: &mut [u8], address: Address, ended: &mut bool) -> Option<usize> {
    let (header, rest) = ethernet::parse(bytes)?;
    let length = match header.kind.get() {
        ethernet::ARP => ARP_END,
        ethernet::IPV4 => ETHERNET + usize::from(ipv4::parse(rest, rest.len()).ok()?.total_length.get()),
        _ => return None,
    };
    let is_arp = header.kind.get() == ethernet::ARP;
    bytes.copy_within(6..12, 0);
    bytes[6..12].copy_from_slice(&address.0);
    if is_arp { arp(bytes, address)? } else { ip(bytes, ended)? }
    Some(length)
}

fn arp(bytes: &mut [u8], address: Address) -> Option<()> {
    const REQUEST: [u8; 2] = [0, 1];
    let asks = bytes.get(ARP_OPERATION..ARP_SENDER)? == REQUEST && bytes.get(ARP_TARGET + 6..ARP_END)? == OURS;
    asks.then(|| {
        bytes[ARP_OPERATION + 1] = 2;
        bytes.copy_within(ARP_SENDER..ARP_TARGET, ARP_TARGET);
        bytes[ARP_SENDER..ARP_SENDER + 6].copy_from_slice(&address.0);
        bytes[ARP_SENDER + 6..ARP_TARGET].copy_from_slice(&OURS);
    })
}

fn ip(bytes: &mut [u8], ended: &mut bool) -> Option<()> {
    let (header, payload) = (ipv4::parse(&bytes[ETHERNET..], bytes.len() - ETHERNET).ok()?, bytes.get(TRANSPORT..)?);
    let length = usize::from(header.total_length.get()).checked_sub(ipv4::HEADER)?;
    if header.destination().octets() != OURS || header.length() != ipv4::HEADER || header.is_fragment() {
        return None;
    }
    match header.protocol {
        ipv4::protocol::ICMP => echo(&mut bytes[TRANSPORT..TRANSPORT + length])?,
        ipv4::protocol::UDP => {
            udp::parse(payload, length).ok()?;
            *ended = payload[udp::HEADER..length] == *b"end";
            // Ports change their places.
            bytes[TRANSPORT..TRANSPORT + 4].rotate_left(2);
        }
        _ => return None,
    }
    let (source, destination) = bytes[IP_SOURCE..TRANSPORT].split_at_mut(IP_DESTINATION - IP_SOURCE);
    source.swap_with_slice(destination);
    Some(())
}

/// An echo reply (RFC 792) to a request.
fn echo(message: &mut [u8]) -> Option<()> {
    const REQUEST: u8 = 8;
    if *message.first()? != REQUEST || message.len() < 8 {
        return None;
    }
    message[0] = 0;
    message[2..4].fill(0);
    let sum = checksum::of(message);
    message[2..4].copy_from_slice(&sum.to_be_bytes());
    Some(())
}
