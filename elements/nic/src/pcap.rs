//! The pcapng format: draft-ietf-opsawg-pcapng, sections 3 and 4. Wireshark and tcpdump read it.
//!
//! A file is blocks: a section's head, a description of each interface, and a block for each packet. Times are
//! nanoseconds, as each interface's description says.

use alloc::vec::Vec;

use packets::{Instant, Packet};

use crate::{Attributes, Direction};

/// Block types.
const SECTION: u32 = 0x0a0d_0d0a;
const INTERFACE: u32 = 1;
const PACKET: u32 = 6;

/// By this a reader finds out the byte order; ours is the little end first.
const BYTE_ORDER: u32 = 0x1a2b_3c4d;
/// Options: the end of them, an interface's resolution of times, a packet's flags.
const RESOLUTION: u16 = 9;
const FLAGS: u16 = 2;
/// Ten to the minus ninth of a second.
const NANOSECONDS: u8 = 9;
/// Link types: Ethernet, and packets that begin with the header of IP.
const LINK_ETHERNET: u16 = 1;
const LINK_RAW: u16 = 101;

/// A block of this type around `body`.
fn block(kind: u32, body: &[u8]) -> Vec<u8> {
    let length = (12 + body.len()) as u32;
    [&kind.to_le_bytes()[..], &length.to_le_bytes(), body, &length.to_le_bytes()].concat()
}

/// The head of a file.
pub fn section() -> Vec<u8> {
    let body = [&BYTE_ORDER.to_le_bytes()[..], &1_u16.to_le_bytes(), &0_u16.to_le_bytes(), &[0xff; 8]].concat();
    block(SECTION, &body)
}

/// The description of an interface, of which `longest` bytes of each packet are kept. The first one is number 0.
pub fn interface(attributes: &Attributes, longest: u32) -> Vec<u8> {
    let link = if attributes.address.is_some() { LINK_ETHERNET } else { LINK_RAW };
    let mut body = [link, 0].map(u16::to_le_bytes).concat();
    body.extend(longest.to_le_bytes());
    body.extend([RESOLUTION, 1].map(u16::to_le_bytes).concat());
    body.extend([NANOSECONDS, 0, 0, 0]);
    // The end of options.
    body.extend([0; 4]);
    block(INTERFACE, &body)
}

/// A packet of interface `number`, of which `longest` bytes are kept.
pub fn packet(packet: &Packet, number: u32, time: Instant, direction: Direction, longest: usize) -> Vec<u8> {
    let kept = packet.len().min(longest);
    let nanoseconds = time.as_nanos();
    let head = [number, (nanoseconds >> 32) as u32, nanoseconds as u32, kept as u32, packet.len() as u32];
    let flags: u32 = match direction {
        Direction::Received => 1,
        Direction::Sent => 2,
    };
    let mut body: Vec<u8> = head.map(u32::to_le_bytes).concat();
    let (start, end) = (body.len(), body.len() + kept);
    body.resize(end.next_multiple_of(4), 0);
    packet.copy_to(&mut body[start..end]);
    body.extend([FLAGS, 4].map(u16::to_le_bytes).concat());
    body.extend(flags.to_le_bytes());
    body.extend([0; 4]);
    block(PACKET, &body)
}
