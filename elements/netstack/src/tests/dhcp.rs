//! DHCP against a server of the test: RFC 2131.

use core::time::Duration;
use std::{vec, vec::Vec};

use super::world::*;
use crate::{Error, Medium};

/// A message of the client: kind, transaction, its address, the option of the address that it asks for.
struct Message {
    kind: u8,
    transaction: [u8; 4],
    from: [u8; 4],
    to: [u8; 4],
    asks: Option<Vec<u8>>,
    server: Option<Vec<u8>>,
}

fn option(message: &[u8], wanted: u8) -> Option<Vec<u8>> {
    let mut at = 240;
    while message[at] != 255 {
        let (kind, length) = (message[at], usize::from(message[at + 1]));
        if kind == wanted {
            return Some(message[at + 2..at + 2 + length].to_vec());
        }
        at += 2 + length;
    }
    None
}

fn read(frame: &[u8]) -> Message {
    assert_eq!((&frame[12..14], frame[23], &frame[34..38]), (&[8, 0][..], 17, &[0, 68, 0, 67][..]));
    let (ip, message) = (&frame[14..34], &frame[42..]);
    assert_eq!(
        (message[..4].to_vec(), &message[28..34], &message[236..240]),
        (vec![1, 1, 6, 0], &mac(1).0[..], &[99, 130, 83, 99][..])
    );
    Message {
        kind: option(message, 53).unwrap()[0],
        transaction: *message[4..].first_chunk().unwrap(),
        from: *ip[12..].first_chunk().unwrap(),
        to: *ip[16..].first_chunk().unwrap(),
        asks: option(message, 50),
        server: option(message, 54),
    }
}

/// A server's answer for 10.0.0.77, sent to that address as dnsmasq does.
fn answer(kind: u8, to: &Message, lease: u32) -> Vec<u8> {
    let mut message = vec![2, 1, 6, 0];
    message.extend(to.transaction);
    message.extend([0; 8]);
    message.extend([10, 0, 0, 77]);
    message.extend([0; 8]);
    message.extend(mac(1).0);
    message.resize(236, 0);
    message.extend([99, 130, 83, 99, 53, 1, kind, 54, 4, 10, 0, 0, 9, 1, 4, 255, 255, 255, 0, 3, 4, 10, 0, 0, 9]);
    message.extend([6, 8, 10, 0, 0, 9, 9, 9, 9, 9, 15, 3, b'l', b'a', b'n', 26, 2, 5, 120, 51, 4]);
    message.extend(lease.to_be_bytes());
    message.push(255);
    v4(9, "10.0.0.9", "10.0.0.77", 17, &datagram(("10.0.0.9", 67), ("10.0.0.77", 68), &message))
}

fn begun() -> Host {
    let mut host = Host::bare(1, 1500, Medium::Ethernet(mac(1)));
    host.stack.start_dhcp(host.now, LINK).unwrap();
    assert_eq!(host.stack.start_dhcp(host.now, LINK), Err(Error::InUse));
    host
}

/// What it says next, within a time.
fn next(host: &mut Host, within: u64) -> Message {
    let end = host.now + SECOND * within as u32;
    loop {
        let at = host.stack.deadline().filter(|at| *at <= end).expect("it says nothing");
        host.pass(at.since(host.now));
        let sent = host.sent();
        if let Some(frame) = sent.iter().find(|frame| frame[12..14] == [8, 0]) {
            return read(frame);
        }
    }
}

fn bound(lease: u32) -> Host {
    let mut host = begun();
    let discover = next(&mut host, 1);
    assert_eq!((discover.kind, discover.from, discover.to), (1, [0; 4], [255; 4]));
    let request = read(&host.ask(&answer(2, &discover, lease))[0]);
    assert_eq!((request.kind, request.asks, request.server), (3, Some(vec![10, 0, 0, 77]), Some(vec![10, 0, 0, 9])));
    let request = Message { asks: None, server: None, ..request };
    host.give(&answer(5, &request, lease));
    assert!(!has(&host), "others are asked first");
    // RFC 5227: a second at most, two pauses of one or two, two seconds, and a second announcement.
    host.pass(PROBING);
    host
}

/// An address is probed for and announced by then.
const PROBING: Duration = Duration::from_secs(10);

fn has(host: &Host) -> bool {
    host.stack.ip.has_address(ip("10.0.0.77"))
}

#[test]
fn an_address_is_given() {
    let mut host = bound(3600);
    assert!(has(&host));
    host.sent();
    let way = host.stack.ip.way(ip("8.8.8.8"), None, 0).unwrap();
    assert_eq!((way.next, way.from, way.mtu), (ip("10.0.0.9"), ip("10.0.0.77"), 1400));
    assert_eq!(host.stack.ip.way(ip("10.0.0.5"), None, 0).unwrap().next, ip("10.0.0.5"));
    let servers: Vec<_> = host.stack.ip.servers().iter().map(|server| server.address).collect();
    assert_eq!(servers, [ip("10.0.0.9"), ip("9.9.9.9")]);
    assert_eq!(host.stack.lease(LINK).unwrap().domain, b"lan");
}

#[test]
fn questions_get_rarer_without_an_answer() {
    let mut host = begun();
    let mut at = vec![];
    for _ in 0..7 {
        assert_eq!(next(&mut host, 70).kind, 1);
        at.push(host.now);
    }
    let waits: Vec<u64> = at.windows(2).map(|pair| pair[1].since(pair[0]).as_secs()).collect();
    for (wait, wanted) in waits.iter().zip([4, 8, 16, 32, 64, 64]) {
        assert!((wanted - 1..=wanted + 1).contains(wait), "{waits:?}");
    }
}

#[test]
fn what_is_not_for_us_is_not_believed() {
    let mut host = begun();
    let discover = next(&mut host, 1);
    let good = answer(2, &discover, 3600);
    for at in [42 + 4, 42 + 28, 42, 42 + 236, 42 + 242] {
        let mut wrong = good.clone();
        wrong[at] ^= 5;
        wrong[40..42].fill(0);
        assert!(host.ask(&wrong).is_empty(), "byte {}", at - 42);
    }
    for length in 0..good.len() {
        assert!(host.ask(&good[..length]).is_empty());
    }
    assert!(host.ask(&answer(5, &discover, 3600)).is_empty(), "nothing was asked for");
    assert!(!has(&host));
    assert_eq!(host.ask(&good).len(), 1);
    // Somebody else's datagram for an address that is not ours.
    let other = datagram(("10.0.0.9", 67), ("10.0.0.77", 69), b"x");
    assert!(host.ask(&v4(9, "10.0.0.9", "10.0.0.77", 17, &other)).is_empty());
}

#[test]
fn a_refusal_begins_anew() {
    let mut host = begun();
    let discover = next(&mut host, 1);
    let request = read(&host.ask(&answer(2, &discover, 3600))[0]);
    host.give(&answer(6, &request, 3600));
    let again = next(&mut host, 2);
    assert!(!has(&host) && again.kind == 1 && again.transaction != request.transaction);
    // And silence to four requests does too.
    let mut kinds = vec![read(&host.ask(&answer(2, &again, 3600))[0]).kind];
    while *kinds.last().unwrap() == 3 {
        kinds.push(next(&mut host, 70).kind);
    }
    assert_eq!(kinds, [3, 3, 3, 3, 1]);
}

#[test]
fn a_lease_is_renewed() {
    let mut host = bound(3600);
    let begin = host.stack.lease(LINK).unwrap().since;
    host.sent();
    // The server first, found by ARP.
    host.pass(SECOND * 1800 - host.now.since(begin));
    let asked = host.sent();
    assert_eq!(asked[0][12..14], [8, 6]);
    let mut reply = frame(mac(1), 9, 0x0806, &[0, 1, 8, 0, 6, 4, 0, 2]);
    reply.extend(mac(9).0);
    reply.extend([10, 0, 0, 9]);
    reply.extend(mac(1).0);
    reply.extend([10, 0, 0, 77]);
    let request = read(&host.ask(&reply)[0]);
    assert_eq!((request.kind, request.from, request.to), (3, [10, 0, 0, 77], [10, 0, 0, 9]));
    assert!(request.asks.is_none() && request.server.is_none(), "RFC 2131, 4.3.6");
    host.give(&answer(5, &request, 3600));
    assert_eq!(host.stack.lease(LINK).unwrap().since.since(begin), SECOND * 1800);
    // Nobody answers any more: everyone is asked from seven eighths on, and in the end it is gone.
    let renewed = host.now;
    host.pass(SECOND * 3149);
    assert!(host.sent().iter().filter(|frame| frame[12..14] == [8, 0]).all(|frame| read(frame).to == [10, 0, 0, 9]));
    let request = next(&mut host, 2);
    assert_eq!((request.to, host.now.since(renewed)), ([255; 4], SECOND * 3150));
    host.pass(SECOND * 449);
    assert!(has(&host));
    host.pass(SECOND * 2);
    assert!(!has(&host) && host.stack.ip.servers().is_empty() && host.stack.lease(LINK).is_none());
    assert!(host.stack.ip.way(ip("8.8.8.8"), None, 0).is_err());
    host.sent();
    assert_eq!(next(&mut host, 70).kind, 1);
}

#[test]
fn a_lease_may_be_for_ever_and_is_given_back() {
    let mut host = bound(u32::MAX);
    host.pass(Duration::from_secs(1 << 20));
    assert!(has(&host) && host.stack.deadline().is_none());
    host.stack.stop_dhcp(LINK);
    assert!(!has(&host));
}

/// Frames of ARP among those that are sent: operation, whose address, and which is asked for.
fn arps(sent: &[Vec<u8>]) -> Vec<(u8, [u8; 4], [u8; 4])> {
    let arp = sent.iter().filter(|frame| frame[12..14] == [8, 6]);
    arp.map(|frame| (frame[21], *frame[28..].first_chunk().unwrap(), *frame[38..].first_chunk().unwrap())).collect()
}

fn arp(operation: u8, from: [u8; 4], target: [u8; 4]) -> Vec<u8> {
    let body = [&[0, 1, 8, 0, 6, 4, 0, operation][..], &mac(9).0, &from, &[0; 6], &target].concat();
    frame(crate::Address([0xff; 6]), 9, 0x0806, &body)
}

const GIVEN: [u8; 4] = [10, 0, 0, 77];

#[test]
fn an_address_is_probed_for_and_announced() {
    let mut host = bound(3600);
    let sent = host.sent();
    let (probe, announcement) = ((1, [0; 4], GIVEN), (1, GIVEN, GIVEN));
    assert_eq!(arps(&sent), [probe, probe, probe, announcement, announcement], "RFC 5227, 2.1.1 and 2.3");
    assert!(sent.iter().all(|frame| frame[..6] == [0xff; 6]));
}

#[test]
fn an_address_that_somebody_has_is_declined() {
    // Who speaks from it, asks from it, or tries it at the same time.
    for conflict in [arp(2, GIVEN, GIVEN), arp(1, GIVEN, [10, 0, 0, 1]), arp(1, [0; 4], GIVEN)] {
        let mut host = begun();
        let discover = next(&mut host, 1);
        let request = read(&host.ask(&answer(2, &discover, 3600))[0]);
        host.give(&answer(5, &Message { asks: None, server: None, ..request }, 3600));
        host.pass(SECOND * 2);
        host.sent();
        let declined = host.ask(&conflict);
        let message = read(declined.iter().find(|frame| frame[12..14] == [8, 0]).expect("nothing was said"));
        assert_eq!((message.kind, message.from, message.to), (4, [0; 4], [255; 4]));
        assert_eq!((message.asks, message.server), (Some(GIVEN.to_vec()), Some(vec![10, 0, 0, 9])));
        assert!(!has(&host) && host.stack.lease(LINK).is_none() && host.stack.ip.servers().is_empty());
        assert!(host.stack.ip.interface(LINK).unwrap().addresses().is_empty());
        host.pass(SECOND * 9);
        assert!(host.sent().is_empty(), "RFC 2131, 3.1 (5): ten seconds");
        assert_eq!(next(&mut host, 2).kind, 1);
    }
}

#[test]
fn an_address_is_defended_once_in_ten_seconds() {
    let mut host = bound(3600);
    host.sent();
    let announcement = (1, GIVEN, GIVEN);
    let said: Vec<_> = (0..100).flat_map(|_| arps(&host.ask(&arp(2, GIVEN, [10, 0, 0, 1])))).collect();
    assert_eq!(said, [announcement], "RFC 5227, 2.4 (b)");
    host.pass(SECOND * 11);
    assert_eq!(arps(&host.ask(&arp(1, GIVEN, GIVEN))), [announcement]);
    assert!(has(&host), "and kept");
}
