//! ARP and neighbour discovery on a link of liars: messages of which everything but the checksum and the hop limit is
//! anything, while time passes and we speak to neighbours ourselves. Tables keep their ends, what is sent is whole, the
//! stack comes to rest, and nobody takes over the place of a neighbour that is reachable.
#![no_main]

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use netstack::{
    Address, Attributes, Bytes, Instant, Medium, Offloads, Packet, Prefix, Stack, interface,
    neighbours::{ENTRIES, State},
    udp::{Family, Sending},
};
use packets::{Offload, checksum::Sum, ipv6};

const OWN: [u8; 6] = [2, 0, 0, 0, 0, 1];

/// An address of the few that matter here.
fn address(byte: u8) -> Ipv6Addr {
    match byte % 8 {
        0 => Ipv6Addr::UNSPECIFIED,
        1 => Ipv6Addr::new(0xff02, 0, 0, 0, 0, 0, 0, 1),
        2 => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, u16::from(byte)),
        3 => Ipv6Addr::new(0xff02, 0, 0, 0, 0, 1, 0xff00, 1),
        4 => Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 1),
        _ => Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, u16::from(byte)),
    }
}

fn frame(kind: u16, station: u8, payload: &[u8]) -> Vec<u8> {
    [&OWN[..], &[2, 0, 0, 0, 1, station], &kind.to_be_bytes(), payload].concat()
}

/// A message of discovery: `kind` from 133 on, its word, its target, and options.
fn discovery(said: &[u8]) -> Vec<u8> {
    let &[kind, from, to, flags, target, station, ref rest @ ..] = said else { return Vec::new() };
    let (from, to) = (address(from), address(to));
    let mut message = vec![133 + kind % 5, 0, 0, 0, flags, rest.first().copied().unwrap_or(0), 7, 8];
    match kind % 5 {
        1 => message.extend([0; 8]),
        2 | 3 => message.extend(address(target).octets()),
        _ => {}
    }
    message.extend(rest);
    let sum = Sum::new().with_pseudo_header(from.into(), to.into(), 58, message.len()).with(&message).finish();
    message[2..4].copy_from_slice(&sum.to_be_bytes());
    let header = ipv6::Header::new(58, from, to, 255, message.len());
    frame(0x86dd, station, &[zerocopy::IntoBytes::as_bytes(&header), &message].concat())
}

/// A message of ARP with one of eight senders.
fn arp(said: &[u8]) -> Vec<u8> {
    let &[operation, from, target, station, ..] = said else { return Vec::new() };
    let mut body = vec![0, 1, 8, 0, 6, 4, 0, operation % 3, 2, 0, 0, 0, 1, station, 10, 0, 0, from % 8];
    body.extend([2, 0, 0, 0, 0, 1, 10, 0, 0, target % 8]);
    frame(0x0806, station, &body)
}

/// Who was reachable, and where.
fn reachable(stack: &Stack, now: Instant) -> BTreeMap<(u32, IpAddr), Option<Address>> {
    let all = stack.ip.neighbours().list(now);
    all.filter(|(_, state, ..)| *state == State::Reachable).map(|(key, _, address, _)| (key, address)).collect()
}

fn look(stack: &mut Stack, now: Instant) {
    assert!(stack.ip.neighbours().len() <= ENTRIES);
    let link = stack.ip.interface(1).unwrap();
    assert!(link.addresses().len() <= interface::ADDRESSES && stack.ip.servers().len() <= 8);
    assert!(stack.ip.routes().list().len() <= 64);
    let sent = stack.outgoing(1).unwrap();
    assert!(sent.len() <= interface::QUEUE);
    assert!(sent.drain(..).all(|packet| packet.len() <= 1514));
    for _ in 0..1000 {
        if stack.deadline().is_none_or(|due| due > now) {
            return;
        }
        stack.poll(now);
    }
    panic!("it does not come to rest");
}

fn speak(stack: &mut Stack, now: Instant, socket: netstack::Handle, to: u8) {
    let ends = [format!("10.0.0.{}:9", to % 8), format!("[{}%1]:9", address(to)), format!("[{}]:9", address(to))];
    let Ok(to) = ends[usize::from(to / 8) % 3].parse() else { return };
    let sending = Sending { to: Some(to), interface: 1, ..Sending::default() };
    let payload = std::iter::once(Bytes::from_static(b"fuzz")).collect();
    let _ = stack.udp.send(now, &mut stack.ip, socket, payload, &sending);
}

fuzz_target!(|bytes: &[u8]| {
    let mut now = Instant::from_nanos(0);
    let mut stack: Stack = Stack::new([7; 32]);
    let attributes =
        Attributes { address: Some(Address(OWN)), mtu: 1500, queues: 1, offloads: Offloads::empty(), largest: 0 };
    stack.ip.add_interface(now, attributes, Medium::Ethernet(Address(OWN)));
    stack.ip.set_up(now, 1, true).unwrap();
    for (address, length) in [(IpAddr::from([10, 0, 0, 1]), 24), (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 1).into(), 64)] {
        stack.ip.add_address(now, 1, Prefix::new(address, length).unwrap()).unwrap();
    }
    stack.ip.autoconfigure(now, 1).unwrap();
    let socket = stack.udp.open(Family::V6).unwrap();
    let mut rest = bytes;
    while let [step, length, after @ ..] = rest {
        let (said, after) = after.split_at(after.len().min(usize::from(*length)));
        rest = after;
        if step & 0x80 != 0 {
            now += Duration::from_millis(1 << (step >> 3 & 15));
            stack.poll(now);
        }
        look(&mut stack, now);
        let before = reachable(&stack, now);
        let frame = match step & 3 {
            0 => arp(said),
            1 | 2 => discovery(said),
            _ => Vec::new(),
        };
        if frame.is_empty() {
            speak(&mut stack, now, socket, said.first().copied().unwrap_or(*length));
        } else {
            stack.receive(now, 1, &mut vec![Packet::received(Bytes::from(frame), Offload::default())]);
        }
        for (key, _, address, _) in stack.ip.neighbours().list(now) {
            assert!(before.get(&key).is_none_or(|known| *known == address), "{key:?} was taken over");
        }
        look(&mut stack, now);
        while stack.udp.receive(socket).is_ok() {}
    }
});
