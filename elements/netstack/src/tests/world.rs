//! Hosts on a link, with a clock that moves when nothing is left to do.

use core::{net::IpAddr, time::Duration};
use std::{vec, vec::Vec};

use packets::{Bytes, Offload, ethernet};

use crate::{Address, Attributes, Everything, Instant, Medium, Offloads, Packet, Parts, Prefix, Stack};

/// The number of each test host's first interface.
pub const LINK: u32 = 1;

pub fn mac(number: u8) -> Address {
    Address([2, 0, 0, 0, 0, number])
}

pub fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

pub fn prefix(text: &str) -> Prefix {
    let (address, length) = text.split_once('/').unwrap();
    Prefix::new(ip(address), length.parse().unwrap()).unwrap()
}

pub fn ethernet_of(number: u8, mtu: usize) -> Attributes {
    Attributes { address: Some(mac(number)), mtu, queues: 1, offloads: Offloads::empty(), largest: 0 }
}

/// One host.
pub struct Host<P: Parts = Everything> {
    pub stack: Stack<P>,
    pub now: Instant,
}

impl Host {
    /// One on an Ethernet whose addresses are settled.
    pub fn new(number: u8, addresses: &[&str]) -> Self {
        let mut host = Self::bare(number, 1500, Medium::Ethernet(mac(number)));
        for address in addresses {
            host.stack.ip.add_address(host.now, LINK, prefix(address)).unwrap();
        }
        host.settle();
        host
    }
}

impl<P: Parts> Host<P> {
    /// One with an interface that is up, without addresses.
    pub fn bare(number: u8, mtu: usize, medium: Medium) -> Self {
        let (mut stack, now) = (Stack::new([number; 32]), Instant::from_nanos(0));
        let mut attributes = ethernet_of(number, mtu);
        if medium == Medium::Ip {
            attributes.address = None;
        }
        assert_eq!(stack.ip.add_interface(now, attributes, medium), LINK);
        stack.ip.set_up(now, LINK, true).unwrap();
        Self { stack, now }
    }

    /// A loopback interface, which is up: its number.
    pub fn add_loopback(&mut self) -> u32 {
        let offloads = crate::Offloads::SEND_CHECKSUM;
        let attributes = Attributes { address: None, mtu: 65_536, queues: 1, offloads, largest: 0 };
        let loopback = self.stack.ip.add_interface(self.now, attributes, Medium::Loopback);
        self.stack.ip.set_up(self.now, loopback, true).unwrap();
        loopback
    }

    /// Lets three seconds pass alone, and forgets what was sent.
    pub fn settle(&mut self) {
        self.pass(Duration::from_secs(3));
        self.sent();
    }

    /// Lets time pass, and does what is due in it.
    pub fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        while let Some(at) = self.stack.deadline().filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.stack.poll(self.now);
        }
        self.now = end;
    }

    /// What it has sent, as bytes, each with whole checksums.
    pub fn sent(&mut self) -> Vec<Vec<u8>> {
        self.stack.outgoing(LINK).unwrap().drain(..).map(|packet| packet.to_vec()).collect()
    }

    /// Gives it a frame.
    pub fn give(&mut self, frame: &[u8]) {
        let packet = Packet::received(Bytes::copy_from_slice(frame), Offload::default());
        self.stack.receive(self.now, LINK, &mut vec![packet]);
    }

    /// Gives it a frame, and takes what it answers.
    pub fn ask(&mut self, frame: &[u8]) -> Vec<Vec<u8>> {
        self.give(frame);
        self.sent()
    }

    /// Has it know where a neighbour is.
    pub fn knows(&mut self, number: u8, address: IpAddr) {
        match address {
            IpAddr::V4(address) => {
                let own = self.stack.ip.interface(LINK).unwrap().addresses().iter().map(|a| a.prefix.address);
                let Some(IpAddr::V4(own)) = own.into_iter().find(IpAddr::is_ipv4) else { panic!("no address") };
                self.ask(&super::arp::request(number, &address.to_string(), &own.to_string()));
            }
            IpAddr::V6(_) => panic!("by solicitation"),
        }
    }
}

use std::string::ToString;

/// Carries frames between two hosts until none is under way and nothing is due within `span`.
pub fn run<P: Parts, Q: Parts>(one: &mut Host<P>, other: &mut Host<Q>, span: Duration) {
    let end = one.now.max(other.now) + span;
    loop {
        let (mut to_other, mut to_one) = (Vec::new(), Vec::new());
        core::mem::swap(one.stack.outgoing(LINK).unwrap(), &mut to_other);
        core::mem::swap(other.stack.outgoing(LINK).unwrap(), &mut to_one);
        if to_one.is_empty() && to_other.is_empty() {
            let next = [one.stack.deadline(), other.stack.deadline()].into_iter().flatten().min();
            let Some(at) = next.filter(|at| *at <= end) else { break };
            let now = at.max(one.now).max(other.now);
            (one.now, other.now) = (now, now);
            one.stack.poll(now);
            other.stack.poll(now);
        }
        one.stack.receive(one.now, LINK, &mut to_one);
        other.stack.receive(other.now, LINK, &mut to_other);
    }
    (one.now, other.now) = (end, end);
}

/// A frame: who gets it, who sends it, what it carries.
pub fn frame(to: Address, from: u8, kind: u16, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::new();
    frame.extend(to.0);
    frame.extend(mac(from).0);
    frame.extend(kind.to_be_bytes());
    frame.extend(payload);
    frame
}

/// A packet of IPv4 in a frame for host 1.
pub fn v4(number: u8, from: &str, to: &str, protocol: u8, payload: &[u8]) -> Vec<u8> {
    v4_with(number, from, to, protocol, payload, |_| {})
}

/// The same, with its header changed before its checksum is made.
pub fn v4_with(
    number: u8,
    from: &str,
    to: &str,
    protocol: u8,
    payload: &[u8],
    change: impl FnOnce(&mut packets::ipv4::Header),
) -> Vec<u8> {
    use zerocopy::IntoBytes;
    let (IpAddr::V4(from), IpAddr::V4(to)) = (ip(from), ip(to)) else { panic!("not IPv4") };
    let mut header = packets::ipv4::Header::new(protocol, from, to, 64, payload.len());
    change(&mut header);
    header.set_checksum();
    frame(mac(1), number, ethernet::IPV4, &[header.as_bytes(), payload].concat())
}

/// A packet of IPv6 in a frame for host 1, with a hop limit.
pub fn v6(number: u8, from: &str, to: &str, next: u8, hops: u8, payload: &[u8]) -> Vec<u8> {
    use zerocopy::IntoBytes;
    let (IpAddr::V6(from), IpAddr::V6(to)) = (ip(from), ip(to)) else { panic!("not IPv6") };
    let header = packets::ipv6::Header::new(next, from, to, hops, payload.len());
    let station = if to.is_multicast() { crate::address::of_group(to.into()) } else { mac(1) };
    frame(station, number, ethernet::IPV6, &[header.as_bytes(), payload].concat())
}

/// A message of ICMP, with its checksum.
pub fn icmp(ends: Option<(&str, &str)>, kind: u8, code: u8, word: u32, body: &[u8]) -> Vec<u8> {
    let mut parts = packets::Parts::new();
    parts.push(Bytes::copy_from_slice(body));
    crate::icmp::message(kind, code, word, parts, ends.map(|(from, to)| (ip(from), ip(to)))).to_vec()
}

/// A datagram with a checksum.
pub fn datagram(from: (&str, u16), to: (&str, u16), payload: &[u8]) -> Vec<u8> {
    let mut parts = packets::Parts::new();
    parts.push(Bytes::copy_from_slice(payload));
    let mut packet = crate::udp::datagram((ip(from.0), from.1), (ip(to.0), to.1), parts, false);
    crate::software::complete(&mut packet);
    packet.to_vec()
}

pub const SECOND: Duration = Duration::from_secs(1);
