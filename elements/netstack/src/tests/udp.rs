//! UDP: sockets, and datagrams between two stacks.

use core::net::SocketAddr;
use std::{vec, vec::Vec};

use packets::{Bytes, Parts};

use super::world::*;
use crate::{
    Error, Failure, Handle,
    udp::{Family, Sending},
};

pub fn at(text: &str) -> SocketAddr {
    text.parse().unwrap()
}

pub fn parts(bytes: &[u8]) -> Parts {
    core::iter::once(Bytes::copy_from_slice(bytes)).collect()
}

impl Host {
    pub fn socket(&mut self, address: &str) -> Handle {
        let family = if at(address).is_ipv4() { Family::V4 } else { Family::V6 };
        let handle = self.stack.udp.open(family).unwrap();
        self.stack.udp.bind(&self.stack.ip, handle, at(address)).unwrap();
        handle
    }

    pub fn say(&mut self, handle: Handle, to: &str, bytes: &[u8]) -> Result<usize, Error> {
        let sending = Sending { to: Some(at(to)), ..Sending::default() };
        self.stack.udp.send(self.now, &mut self.stack.ip, handle, parts(bytes), &sending)
    }

    pub fn hear(&mut self, handle: Handle) -> Result<(SocketAddr, Vec<u8>), Error> {
        self.stack.udp.receive(handle).map(|datagram| (datagram.from, datagram.to_vec()))
    }
}

pub fn pair() -> (Host, Host) {
    let one = Host::new(1, &["10.0.0.1/24", "2001:db8::1/64"]);
    let other = Host::new(2, &["10.0.0.2/24", "2001:db8::2/64"]);
    (one, other)
}

#[test]
fn datagrams_go_both_ways() {
    for (a, b) in [("10.0.0.1", "10.0.0.2"), ("[2001:db8::1]", "[2001:db8::2]")] {
        let (mut one, mut other) = pair();
        let (a, b) = (std::format!("{a}:1000"), std::format!("{b}:53"));
        let (asks, answers) = (one.socket(&a), other.socket(&b));
        assert_eq!(one.say(asks, &b, b"question"), Ok(8));
        run(&mut one, &mut other, SECOND);
        assert_eq!(other.hear(answers), Ok((at(&a), b"question".to_vec())));
        assert_eq!(other.hear(answers), Err(Error::WouldBlock));
        let mut events = vec![];
        other.stack.udp.take_events(&mut events);
        assert_eq!(events, [answers]);
        assert_eq!(other.say(answers, &a, b""), Ok(0));
        run(&mut one, &mut other, SECOND);
        assert_eq!(one.hear(asks), Ok((at(&b), vec![])));
    }
}

#[test]
fn the_longest_datagrams_go_in_fragments() {
    let payload: Vec<u8> = (0..65_507_u32).map(|byte| ((byte * 7) >> 3) as u8).collect();
    for (a, b, fragments) in [("10.0.0.1:9", "10.0.0.2:9", 45), ("[2001:db8::1]:9", "[2001:db8::2]:9", 46)] {
        let (mut one, mut other) = pair();
        let (sends, takes) = (one.socket(a), other.socket(b));
        one.say(sends, b, b"who").unwrap();
        run(&mut one, &mut other, SECOND);
        other.hear(takes).unwrap();
        assert_eq!(one.say(sends, b, &payload), Ok(65_507));
        let frames = one.stack.outgoing(LINK).unwrap();
        assert_eq!(frames.len(), fragments);
        assert!(frames.iter().all(|frame| frame.len() <= 1514));
        run(&mut one, &mut other, SECOND);
        assert_eq!(other.hear(takes).unwrap().1, payload);
        assert!(matches!(one.say(sends, b, &[0; 65_508]), Err(Error::TooBig(_))));
    }
}

#[test]
fn nobody_at_the_port_is_told() {
    for (a, b) in [("10.0.0.1:1000", "10.0.0.2:7"), ("[2001:db8::1]:1000", "[2001:db8::2]:7")] {
        let (mut one, mut other) = pair();
        let socket = one.socket(a);
        one.stack.udp.connect(one.now, &mut one.stack.ip, socket, at(b)).unwrap();
        let say =
            |one: &mut Host| one.stack.udp.send(one.now, &mut one.stack.ip, socket, parts(b"x"), &Sending::default());
        assert_eq!(say(&mut one), Ok(1));
        run(&mut one, &mut other, SECOND);
        assert_eq!(one.stack.udp.take_error(socket), Ok(Some(Failure::Port)));
        assert_eq!(say(&mut one), Ok(1));
        run(&mut one, &mut other, SECOND);
        assert_eq!(say(&mut one), Err(Error::Told(Failure::Port)), "and the next call says it");
        assert_eq!(other.stack.udp.statistics().no_ports, 2);
    }
}

#[test]
fn addresses_are_shared_as_linux_has_it() {
    let (mut host, _) = pair();
    let mut bind = |address: &str, reuse_address: bool, reuse_port: bool, only_v6: bool| {
        let family = if at(address).is_ipv4() { Family::V4 } else { Family::V6 };
        let handle = host.stack.udp.open(family).unwrap();
        let settings = host.stack.udp.settings_mut(handle).unwrap();
        (settings.reuse_address, settings.reuse_port, settings.only_v6) = (reuse_address, reuse_port, only_v6);
        host.stack.udp.bind(&host.stack.ip, handle, at(address))
    };
    assert_eq!(bind("10.0.0.1:1", false, false, false), Ok(()));
    assert_eq!(bind("10.0.0.1:1", false, false, false), Err(Error::InUse));
    assert_eq!(bind("0.0.0.0:1", false, false, false), Err(Error::InUse));
    assert_eq!(bind("[::]:1", false, false, false), Err(Error::InUse), "both families");
    assert_eq!(bind("[::]:1", false, false, true), Ok(()));
    assert_eq!(bind("10.0.0.1:1", true, false, false), Err(Error::InUse), "both must say so");
    assert_eq!(bind("10.0.0.1:2", true, false, false), Ok(()));
    assert_eq!(bind("10.0.0.1:2", true, false, false), Ok(()));
    assert_eq!(bind("10.0.0.1:2", false, true, false), Err(Error::InUse));
    assert_eq!(bind("0.0.0.0:3", false, true, false), Ok(()));
    assert_eq!(bind("10.0.0.1:3", false, true, false), Ok(()));
    assert_eq!(bind("10.9.9.9:4", false, false, false), Err(Error::NotAvailable));
    assert_eq!(bind("224.1.1.1:4", false, false, false), Ok(()));
}

#[test]
fn the_nearest_socket_gets_it() {
    let (mut one, mut other) = pair();
    let (any, both) = (one.socket("0.0.0.0:5"), one.socket("[::]:6"));
    let sender = other.socket("10.0.0.2:99");
    let exact = one.stack.udp.open(Family::V4).unwrap();
    for handle in [any, exact] {
        one.stack.udp.settings_mut(handle).unwrap().reuse_address = true;
    }
    one.stack.udp.bind(&one.stack.ip, exact, at("10.0.0.1:5")).unwrap();
    let mut give = |one: &mut Host, to: &str| {
        other.say(sender, to, b"x").unwrap();
        run(&mut other, one, SECOND);
    };
    give(&mut one, "10.0.0.1:5");
    assert!(one.hear(exact).is_ok() && one.hear(any).is_err());
    one.stack.udp.close(one.now, &mut one.stack.ip, exact).unwrap();
    give(&mut one, "10.0.0.1:5");
    assert!(one.hear(any).is_ok());
    give(&mut one, "10.0.0.1:6");
    assert_eq!(one.hear(both).unwrap().0, at("10.0.0.2:99"), "a socket of both families");
    one.stack.udp.connect(one.now, &mut one.stack.ip, any, at("10.0.0.2:98")).unwrap();
    give(&mut one, "10.0.0.1:5");
    assert!(one.hear(any).is_err(), "connected to somebody else");
    assert_eq!(one.hear(exact), Err(Error::Stale));
}

#[test]
fn ports_are_not_guessed() {
    let (mut host, _) = pair();
    let mut ports: Vec<u16> = (0..2000)
        .map(|_| {
            let handle = host.socket("0.0.0.0:0");
            host.stack.udp.local(handle).unwrap().port()
        })
        .collect();
    assert!(ports.iter().all(|port| (32_768..61_000).contains(port)));
    let steps = ports.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) < 16).count();
    assert!(steps < 20, "{steps} of 2000 are near the one before");
    ports.sort_unstable();
    ports.dedup();
    assert_eq!(ports.len(), 2000);
}

#[test]
fn a_full_queue_loses_what_comes() {
    let (mut one, mut other) = pair();
    let (takes, sends) = (one.socket("10.0.0.1:5"), other.socket("10.0.0.2:5"));
    one.stack.udp.settings_mut(takes).unwrap().receive_limit = 10_000;
    for _ in 0..30 {
        other.say(sends, "10.0.0.1:5", &[7; 1000]).unwrap();
        run(&mut other, &mut one, SECOND / 1000);
    }
    let (count, lost) = one.stack.udp.waiting(takes).unwrap();
    assert_eq!((count as u64 + lost, count), (30, 10_000 / 1256));
    while one.hear(takes).is_ok() {}
    other.say(sends, "10.0.0.1:5", &[7; 20_000]).unwrap();
    run(&mut other, &mut one, SECOND);
    assert_eq!(one.hear(takes).unwrap().1.len(), 20_000, "an empty queue takes any");
}

#[test]
fn checksums_are_looked_at() {
    let (mut host, _) = pair();
    host.knows(2, ip("10.0.0.2"));
    let socket = host.socket("[::]:5");
    let good = datagram(("10.0.0.2", 9), ("10.0.0.1", 5), b"odd");
    let mut none = good.clone();
    none[6..8].fill(0);
    let mut wrong = good.clone();
    wrong[9] ^= 4;
    for (bytes, taken) in [(&good, true), (&none, true), (&wrong, false)] {
        host.give(&v4(2, "10.0.0.2", "10.0.0.1", 17, bytes));
        assert_eq!(host.hear(socket).is_ok(), taken);
    }
    let good = datagram(("2001:db8::2", 9), ("2001:db8::1", 5), b"odd");
    let mut none = good.clone();
    none[6..8].fill(0);
    for (bytes, taken) in [(&good, true), (&none, false)] {
        host.give(&v6(2, "2001:db8::2", "2001:db8::1", 17, 64, bytes));
        assert_eq!(host.hear(socket).is_ok(), taken, "IPv6 wants one");
    }
    for length in 0..8 {
        host.give(&v4(2, "10.0.0.2", "10.0.0.1", 17, &good[..length]));
    }
    assert!(host.hear(socket).is_err() && host.sent().is_empty());
}
