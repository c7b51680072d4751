//! Interfaces: `struct ifinfomsg`.

use alloc::vec::Vec;

use sockets::{Interface, Medium, Traffic};

use super::kinds::NEW_LINK;
use crate::{Message, Request, attributes, error};

/// Attributes: `include/uapi/linux/if_link.h`.
mod attribute {
    pub const ADDRESS: u16 = 1;
    pub const BROADCAST: u16 = 2;
    pub const NAME: u16 = 3;
    pub const MTU: u16 = 4;
    pub const QUEUEING: u16 = 6;
    pub const STATISTICS: u16 = 7;
    pub const QUEUE: u16 = 13;
    pub const STATE: u16 = 16;
    pub const MODE: u16 = 17;
    pub const STATISTICS_64: u16 = 23;
    pub const GROUP: u16 = 27;
    pub const PROMISCUITY: u16 = 30;
    pub const SEND_QUEUES: u16 = 31;
    pub const RECEIVE_QUEUES: u16 = 32;
    pub const CARRIER: u16 = 33;
    pub const OTHER_NAME: u16 = 53;
}

/// Bytes of the header.
const HEADER: usize = 16;
/// IFF_UP, IFF_RUNNING and IFF_LOWER_UP.
const UP: u32 = 0x1_0041;

/// All of them.
pub fn all(interfaces: &[Interface]) -> impl Iterator<Item = Message> {
    interfaces.iter().map(told)
}

/// The one that a request names, by its number or name.
pub fn one(request: &Request<'_>, interfaces: &[Interface]) -> Result<Message, i32> {
    let number = request.word(4);
    let named = |&(kind, _): &(u16, &[u8])| matches!(kind, attribute::NAME | attribute::OTHER_NAME);
    let name = attributes(request.payload().get(HEADER..).unwrap_or_default()).find(named);
    let name = name.map(|(_, name)| name.split(|&byte| byte == 0).next().unwrap_or_default());
    if number == 0 && name.is_none() {
        return Err(error::INVALID);
    }
    let is = |interface: &&Interface| match name {
        Some(name) if number == 0 => interface.name() == name,
        _ => interface.number == number,
    };
    interfaces.iter().find(is).map(told).ok_or(error::NO_DEVICE)
}

fn told(interface: &Interface) -> Message {
    let (kind, flags, address, broadcast): (u16, u32, &[u8], &[u8]) = match &interface.medium {
        Medium::Loopback => (772, 0x8, &[0; 6], &[0; 6]),
        Medium::Ethernet(address) => (1, 0x1002, address, &[0xff; 6]),
        Medium::PointToPoint => (0xfffe, 0x1090, &[], &[]),
    };
    let flags = flags | if interface.up { UP } else { 0 };
    let mut header = [0; HEADER];
    header[2..4].copy_from_slice(&kind.to_ne_bytes());
    header[4..8].copy_from_slice(&interface.number.to_ne_bytes());
    header[8..12].copy_from_slice(&flags.to_ne_bytes());
    // IF_OPER_UP; that of a loop nobody knows (RFC 2863).
    let state = if interface.up && interface.medium != Medium::Loopback { 6 } else { 0 };
    let mut name = interface.name().to_vec();
    name.push(0);
    let message = Message::new(NEW_LINK, &header)
        .with(attribute::NAME, &name)
        .with_word(attribute::QUEUE, 1000)
        .with(attribute::STATE, &[state])
        .with(attribute::MODE, &[0])
        .with_word(attribute::MTU, interface.mtu)
        .with_word(attribute::GROUP, 0)
        .with_word(attribute::PROMISCUITY, 0)
        .with_word(attribute::SEND_QUEUES, 1)
        .with_word(attribute::RECEIVE_QUEUES, 1)
        .with(attribute::CARRIER, &[interface.up.into()])
        .with(attribute::QUEUEING, b"noqueue\0");
    let message = if address.is_empty() {
        message
    } else {
        message.with(attribute::ADDRESS, address).with(attribute::BROADCAST, broadcast)
    };
    let counts = counts(&interface.traffic);
    let long: Vec<u8> = counts.iter().flat_map(|count| count.to_ne_bytes()).collect();
    let short: Vec<u8> = counts.iter().flat_map(|&count| (count as u32).to_ne_bytes()).collect();
    message.with(attribute::STATISTICS_64, &long).with(attribute::STATISTICS, &short)
}

/// `struct rtnl_link_stats64`: what nobody counts is 0.
fn counts(traffic: &Traffic) -> [u64; 24] {
    let mut counts = [0; 24];
    counts[..9].copy_from_slice(&[
        traffic.received_packets,
        traffic.sent_packets,
        traffic.received_bytes,
        traffic.sent_bytes,
        traffic.receive_errors,
        0,
        traffic.receive_dropped,
        traffic.send_dropped,
        traffic.received_multicast,
    ]);
    counts
}
