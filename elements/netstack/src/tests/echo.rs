//! ICMP echoes, and what is answered at all.

use std::{vec, vec::Vec};

use super::world::*;

const A: &str = "10.0.0.1";
const B: &str = "10.0.0.2";

fn host() -> Host {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    host.knows(2, ip(B));
    host
}

fn ping(body: &[u8]) -> Vec<u8> {
    icmp(None, 8, 0, 0x1234_0001, body)
}

#[test]
fn a_ping_is_answered() {
    let mut frame = v4(2, B, A, 1, &ping(b"abcdefgh"));
    let answers = host().ask(&frame);
    assert_eq!(answers.len(), 1);
    let answer = &answers[0];
    assert_eq!((&answer[..6], &answer[6..12]), (&mac(2).0[..], &mac(1).0[..]));
    assert_eq!((&answer[26..30], &answer[30..34]), (&[10, 0, 0, 1][..], &[10, 0, 0, 2][..]));
    assert_eq!((answer[34], &answer[38..42], &answer[42..]), (0, &[0x12, 0x34, 0, 1][..], &b"abcdefgh"[..]));
    assert_eq!(packets::checksum::of(&answer[34..]), 0);
    assert_eq!(packets::checksum::of(&answer[14..34]), 0);
    frame[40] ^= 1;
    assert!(host().ask(&frame).is_empty(), "a wrong checksum");
}

#[test]
fn padding_of_ethernet_is_no_part_of_it() {
    let mut frame = v4(2, B, A, 1, &ping(b"x"));
    frame.resize(60, 0xee);
    assert_eq!(host().ask(&frame)[0].len(), 14 + 20 + 9);
}

#[test]
fn nobody_else_is_answered() {
    let mut host = host();
    for (from, to) in [(B, "10.0.0.3"), (B, "10.0.0.255"), (B, "224.0.0.1"), ("127.0.0.1", A), ("224.0.0.1", A)] {
        assert!(host.ask(&v4(2, from, to, 1, &ping(b""))).is_empty(), "{from} to {to}");
    }
    for from in ["10.0.0.255", "255.255.255.255", "0.0.0.0", A] {
        assert!(host.ask(&v4(2, from, A, 1, &ping(b""))).is_empty(), "from {from}");
    }
    let mut frame = v4(2, B, A, 1, &ping(b""));
    frame[..6].copy_from_slice(&[0xff; 6]);
    assert!(host.ask(&frame).is_empty(), "in a frame for all");
    frame[..6].copy_from_slice(&mac(9).0);
    assert!(host.ask(&frame).is_empty(), "for another station");
}

#[test]
fn wrong_headers_are_dropped() {
    let frame = v4(2, B, A, 1, &ping(b"payload"));
    for at in 14..34 {
        for bit in 0..8 {
            let mut wrong = frame.clone();
            wrong[at] ^= 1 << bit;
            assert!(host().ask(&wrong).is_empty(), "byte {at}, bit {bit}");
        }
    }
    for length in 0..frame.len() {
        assert!(host().ask(&frame[..length]).is_empty(), "{length} bytes");
    }
}

#[test]
fn source_routes_are_refused_and_other_options_pass() {
    let with = |options: &[u8]| {
        let payload = [options, &ping(b"x")].concat();
        v4_with(2, B, A, 1, &payload, |header| header.version_and_length = 0x45 + (options.len() / 4) as u8)
    };
    let mend = |mut frame: Vec<u8>| {
        let end = 14 + usize::from(frame[14] & 15) * 4;
        frame[24..26].fill(0);
        let sum = packets::checksum::of(&frame[14..end]);
        frame[24..26].copy_from_slice(&sum.to_be_bytes());
        frame
    };
    assert_eq!(host().ask(&mend(with(&[1, 1, 1, 0]))).len(), 1);
    assert_eq!(host().ask(&mend(with(&[0x94, 4, 0, 0]))).len(), 1, "router alert");
    for wrong in [[0x83, 4, 4, 0], [0x89, 4, 4, 0], [7, 9, 4, 0], [7, 0, 4, 0], [7, 1, 0, 0]] {
        assert!(host().ask(&mend(with(&wrong))).is_empty(), "{wrong:?}");
    }
}

#[test]
fn a_flood_of_pings_is_answered_so_often() {
    let mut host = host();
    let frame = v4(2, B, A, 1, &ping(b"x"));
    let count = (0..5000).map(|_| host.ask(&frame).len()).sum::<usize>();
    assert_eq!(count, 1000);
    host.pass(SECOND / 100);
    assert_eq!((0..5000).map(|_| host.ask(&frame).len()).sum::<usize>(), 100);
}

#[test]
fn pings_of_ipv6_are_answered() {
    let mut one = Host::new(1, &["fe80::1/64", "2001:db8::1/64"]);
    let frame =
        v6(2, "2001:db8::2", "2001:db8::1", 58, 64, &icmp(Some(("2001:db8::2", "2001:db8::1")), 128, 0, 7, b"six"));
    // It must find the neighbour first.
    let asked = one.ask(&frame);
    assert_eq!((asked.len(), asked[0][54]), (1, 135));
    let mut other = Host::new(2, &["2001:db8::2/64"]);
    let answers = other.ask(&asked[0]);
    assert_eq!((answers.len(), answers[0][54]), (1, 136));
    let pongs = one.ask(&answers[0]);
    assert_eq!((pongs.len(), pongs[0][54], &pongs[0][62..]), (1, 129, &b"six"[..]));
    let sum = packets::checksum::Sum::new().with_pseudo_header(ip("2001:db8::1"), ip("2001:db8::2"), 58, 11);
    assert!(sum.with(&pongs[0][54..]).is_right());
}

#[test]
fn a_packet_without_a_link_is_answered() {
    let mut host: Host = Host::bare(1, 1500, crate::Medium::Ip);
    host.stack.ip.add_address(host.now, LINK, prefix("10.0.0.1/24")).unwrap();
    let answers = host.ask(&v4(2, B, A, 1, &ping(b"x"))[14..]);
    assert_eq!((answers.len(), answers[0][20]), (1, 0));
    assert_eq!(host.ask(&[]), Vec::<Vec<u8>>::new());
    assert_eq!(host.ask(&[0x50; 40]), Vec::<Vec<u8>>::new());
}

#[test]
fn loopback_leads_back() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    let lo = host.add_loopback();
    for address in ["127.0.0.1", "10.0.0.1", "127.9.9.9", "::1"] {
        let way = host.stack.ip.way(ip(address), None, 0).unwrap();
        assert_eq!((way.interface, way.from, way.mtu), (lo, ip(address), 65_535), "{address}");
    }
    let request = icmp(None, 8, 0, 1, b"me");
    let way = host.stack.ip.way(ip("127.0.0.1"), None, 0).unwrap();
    let packet = crate::Packet::received(request.into(), Default::default());
    host.stack.ip.send(host.now, crate::Departure::new(way, 1, packet)).unwrap();
    let mut burst = core::mem::take(host.stack.outgoing(lo).unwrap());
    assert_eq!(burst.len(), 1);
    host.stack.receive(host.now, lo, &mut burst);
    let burst: Vec<_> = host.stack.outgoing(lo).unwrap().drain(..).map(|packet| packet.to_vec()).collect();
    assert_eq!((burst.len(), burst[0][20]), (1, 0));
    assert_eq!(vec![0_u8; 0], host.sent().concat());
}
