//! Errors of ICMP, both ways: RFC 1122, RFC 1191, RFC 4443, RFC 5927, RFC 8201. And paths that get narrow.

use core::net::SocketAddr;
use std::{vec, vec::Vec};

use packets::Bytes;

use super::world::*;
use crate::{
    Cutting, Error, Failure, Handle, path_mtu,
    udp::{Family, Sending},
};

const A: &str = "10.0.0.1";
const B: &str = "10.0.0.2";

fn host() -> Host {
    let mut host = Host::new(1, &["10.0.0.1/24", "2001:db8::1/64"]);
    host.knows(2, ip(B));
    host
}

fn connected(host: &mut Host, to: &str) -> Handle {
    let to: SocketAddr = to.parse().unwrap();
    let handle = host.stack.udp.open(if to.is_ipv4() { Family::V4 } else { Family::V6 }).unwrap();
    host.stack.udp.connect(host.now, &mut host.stack.ip, handle, to).unwrap();
    handle
}

fn send(host: &mut Host, handle: Handle, length: usize) -> Result<usize, Error> {
    let payload = core::iter::once(Bytes::from(vec![7; length])).collect();
    host.stack.udp.send(host.now, &mut host.stack.ip, handle, payload, &Sending::default())
}

/// What a router says about a frame of ours.
fn about(frame: &[u8], kind: u8, code: u8, word: u32) -> Vec<u8> {
    let quoted = &frame[14..frame.len().min(14 + 60)];
    v4(2, "10.0.0.254", A, 1, &icmp(None, kind, code, word, quoted))
}

#[test]
fn errors_are_told_for_what_was_sent_only() {
    let mut host = host();
    let socket = connected(&mut host, "10.0.0.2:7");
    send(&mut host, socket, 10).unwrap();
    let frame = host.sent().remove(0);
    let error = |host: &mut Host, frame: &[u8], kind, code| {
        host.give(&about(frame, kind, code, 0));
        host.stack.udp.take_error(socket).unwrap()
    };
    assert_eq!(error(&mut host, &frame, 3, 3), Some(Failure::Port));
    assert_eq!(error(&mut host, &frame, 3, 13), Some(Failure::Forbidden));
    assert_eq!(error(&mut host, &frame, 3, 1), None, "it may pass by itself");
    assert_eq!(error(&mut host, &frame, 5, 1), None, "a redirect");
    assert_eq!(host.stack.ip.icmp_statistics(true).redirects_ignored, 1);
    for at in [14 + 12, 14 + 19, 14 + 9, 14 + 20, 14 + 23] {
        let mut other = frame.clone();
        other[at] ^= 1;
        assert_eq!(error(&mut host, &other, 3, 3), None, "byte {} of the quotation is not ours", at - 14);
    }
    for length in 14..14 + 28 {
        assert_eq!(error(&mut host, &frame[..length], 3, 3), None, "{length} bytes are too few");
    }
    let wrong = {
        let mut wrong = about(&frame, 3, 3, 0);
        *wrong.last_mut().unwrap() ^= 1;
        wrong
    };
    host.give(&wrong);
    assert_eq!(host.stack.udp.take_error(socket), Ok(None), "a wrong checksum");
}

#[test]
fn nobody_is_told_about_errors_or_groups() {
    let mut host = host();
    let datagram_to = |to: &str| datagram((B, 9), (to, 7), b"x");
    assert_eq!(host.ask(&v4(2, B, A, 17, &datagram_to(A)))[0][34..36], [3, 3]);
    assert_eq!(host.ask(&v4(2, B, A, 99, b"protocol"))[0][34..36], [3, 2]);
    host.stack.ip.join(host.now, LINK, ip("239.0.0.5")).unwrap();
    host.sent();
    let mut group = v4(2, B, "239.0.0.5", 17, &datagram_to("239.0.0.5"));
    let mut all = v4(2, B, "10.0.0.255", 17, &datagram_to("10.0.0.255"));
    group[..6].copy_from_slice(&[1, 0, 0x5e, 0, 0, 5]);
    all[..6].copy_from_slice(&[0xff; 6]);
    assert!(host.ask(&group).is_empty() && host.ask(&all).is_empty());
    assert!(host.ask(&v4(2, "0.0.0.0", A, 17, &datagram_to(A))).is_empty());
    let error = icmp(None, 3, 3, 0, &[0x45; 40]);
    assert!(host.ask(&v4(2, B, A, 1, &error)).is_empty());
    assert_eq!(host.stack.udp.statistics().no_ports, 3, "the others were looked at");
}

#[test]
fn errors_are_sent_so_often() {
    let mut host = host();
    let frame = v4(2, B, A, 17, &datagram((B, 9), (A, 7), b"x"));
    let told = (0..10_000).map(|_| host.ask(&frame).len()).sum::<usize>();
    assert!((25..=50).contains(&told), "{told}");
    host.pass(SECOND / 100);
    let told = (0..10_000).map(|_| host.ask(&frame).len()).sum::<usize>();
    assert!((5..=11).contains(&told), "{told}");
}

#[test]
fn a_path_gets_narrow_and_wide_again() {
    let mut host = host();
    let socket = connected(&mut host, "10.0.0.2:7");
    assert_eq!(send(&mut host, socket, 1400), Ok(1400));
    let frames = host.sent();
    assert_eq!((frames.len(), frames[0][20] & 0x40), (1, 0x40), "no router cuts it");
    host.give(&about(&frames[0], 3, 4, 1000));
    assert_eq!(host.stack.ip.way(ip(B), None, 0).unwrap().mtu, 1000);
    assert_eq!((send(&mut host, socket, 1400), host.sent().len()), (Ok(1400), 2));
    host.give(&about(&frames[0], 3, 4, 1200));
    assert_eq!(host.stack.ip.way(ip(B), None, 0).unwrap().mtu, 1000, "no word makes it wider");
    host.give(&about(&frames[0], 3, 4, 68));
    assert_eq!(host.stack.ip.way(ip(B), None, 0).unwrap().mtu, 552, "the floor");
    assert!(host.sent().is_empty());
    host.pass(SECOND * 601);
    host.sent();
    host.knows(2, ip(B));
    assert_eq!((send(&mut host, socket, 1400), host.sent().len()), (Ok(1400), 1), "forgotten after ten minutes");
    // A router of old does not say how wide: the next plateau (RFC 1191, 7).
    host.give(&about(&frames[0], 3, 4, 0));
    assert_eq!(host.stack.ip.way(ip(B), None, 0).unwrap().mtu, 1006);
    host.stack.udp.settings_mut(socket).unwrap().cutting = Cutting::Nowhere;
    assert_eq!(send(&mut host, socket, 1400), Err(Error::TooBig(1006)));
    host.stack.udp.settings_mut(socket).unwrap().cutting = Cutting::Probe;
    assert_eq!((send(&mut host, socket, 1400), send(&mut host, socket, 1473)), (Ok(1400), Err(Error::TooBig(1500))));
}

#[test]
fn forged_widths_are_not_believed() {
    let mut host = host();
    let socket = connected(&mut host, "10.0.0.2:7");
    send(&mut host, socket, 100).unwrap();
    let frame = host.sent().remove(0);
    for at in [14 + 12, 14 + 20, 14 + 23] {
        let mut other = frame.clone();
        other[at] ^= 1;
        host.give(&about(&other, 3, 4, 600));
    }
    assert!(host.stack.ip.paths().is_empty());
    // As many paths as are remembered, and no more.
    let open = host.stack.udp.open(Family::V4).unwrap();
    host.stack.udp.bind(&host.stack.ip, open, "10.0.0.1:9".parse().unwrap()).unwrap();
    for number in 0..3000_u32 {
        let to = std::format!("198.18.{}.{}", number / 250, number % 250);
        let quoted = v4(1, A, &to, 17, &datagram((A, 9), (&to, 5), b""));
        host.give(&about(&quoted, 3, 4, 600));
    }
    assert_eq!(host.stack.ip.paths().len(), path_mtu::PATHS);
}

#[test]
fn paths_of_ipv6_stay_wide_enough() {
    let (mut one, mut other) = (host(), Host::new(2, &["2001:db8::2/64"]));
    let socket = connected(&mut one, "[2001:db8::2]:7");
    send(&mut one, socket, 1400).unwrap();
    let asked = one.sent();
    let answer = other.ask(&asked[0]);
    let frame = one.ask(&answer[0]).remove(0);
    let (a, b) = ("2001:db8::1", "2001:db8::2");
    let say = |mtu: u32| v6(2, b, a, 58, 64, &icmp(Some((b, a)), 2, 0, mtu, &frame[14..200]));
    one.give(&say(1300));
    assert_eq!(one.stack.ip.way(ip(b), None, 0).unwrap().mtu, 1300);
    one.give(&say(40));
    assert_eq!(one.stack.ip.way(ip(b), None, 0).unwrap().mtu, 1280);
    assert_eq!((send(&mut one, socket, 1400), one.sent().len()), (Ok(1400), 2));
}

#[test]
fn silence_of_a_neighbour_is_an_error() {
    let mut host = host();
    let socket = connected(&mut host, "10.0.0.3:7");
    host.stack.udp.settings_mut(socket).unwrap().errors = true;
    send(&mut host, socket, 10).unwrap();
    host.pass(SECOND * 4);
    assert_eq!(host.stack.udp.take_error(socket), Ok(Some(Failure::Host)));
}

#[test]
fn extension_headers_are_walked_over() {
    let mut host = host();
    let (a, b) = ("2001:db8::1", "2001:db8::2");
    let socket = host.socket("[::]:5");
    let data = datagram((b, 9), (a, 5), b"x");
    let pad = |next: u8| vec![next, 0, 1, 4, 0, 0, 0, 0];
    let chain = [pad(60), vec![43, 0, 5, 2, 0, 0, 1, 0], vec![17, 0, 4, 0, 0, 0, 0, 0], data.clone()].concat();
    host.give(&v6(2, b, a, 0, 64, &chain));
    assert!(host.stack.udp.receive(socket).is_ok());
    let unknown = |kind: u8| [vec![17, 0, kind, 4, 0, 0, 0, 0], data.clone()].concat();
    host.give(&v6(2, b, a, 60, 64, &unknown(0x1e)));
    assert!(host.stack.udp.receive(socket).is_ok(), "one to pass over");
    for kind in [0x5e, 0x9e, 0xde] {
        host.give(&v6(2, b, a, 60, 64, &unknown(kind)));
    }
    host.give(&v6(2, b, a, 43, 64, &[vec![17, 0, 0, 1, 0, 0, 0, 0], data.clone()].concat()));
    host.give(&v6(2, b, a, 60, 64, &[pad(0), pad(17), data.clone()].concat()));
    let many: Vec<u8> = (0..20).flat_map(|_| pad(60)).chain(pad(17)).chain(data.clone()).collect();
    host.give(&v6(2, b, a, 60, 64, &many));
    host.give(&v6(2, b, a, 60, 64, &[17, 200, 1, 4, 0, 0, 0, 0]));
    assert!(host.stack.udp.receive(socket).is_err());
    // Told: two options that ask for it, a route, and options for routers in the wrong place.
    assert_eq!(host.stack.ip.icmp_statistics(false).errors_sent, 4);
}
