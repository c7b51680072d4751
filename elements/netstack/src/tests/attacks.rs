//! What hostile stations of a link send: rows of the table of attacks that are about no single protocol's rules.

use std::{format, string::String, vec, vec::Vec};

use packets::{Checksum, Segmentation, SegmentationKind};

use super::world::*;
use crate::{Medium, Packet, interface, neighbours, reassembly};

/// Numbers that repeat themselves.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn of_link(number: u32) -> String {
    format!("fe80::{:x}:{:x}", 0x1000 + (number >> 16), number & 0xffff)
}

fn solicits(station: u8, from: &str) -> Vec<u8> {
    let target = "fe80::1".parse::<core::net::Ipv6Addr>().unwrap().octets();
    let body = [&target[..], &[1, 1], &mac(station).0].concat();
    v6(station, from, "fe80::1", 58, 255, &icmp(Some((from, "fe80::1")), 135, 0, 0, &body))
}

fn echo(station: u8, from: &str) -> Vec<u8> {
    v6(station, from, "fe80::1", 58, 64, &icmp(Some((from, "fe80::1")), 128, 0, 1, b"x"))
}

#[test]
fn a_flood_of_neighbours_of_ipv6_leaves_live_ones() {
    let mut host = Host::new(1, &["fe80::1/64"]);
    host.ask(&echo(2, "fe80::2"));
    let target = "fe80::2".parse::<core::net::Ipv6Addr>().unwrap().octets();
    let body = [&target[..], &[2, 1], &mac(2).0].concat();
    host.ask(&v6(2, "fe80::2", "fe80::1", 58, 255, &icmp(Some(("fe80::2", "fe80::1")), 136, 0, 0x6000_0000, &body)));
    let alive = |host: &Host| host.stack.ip.neighbours().state(host.now, (LINK, ip("fe80::2")));
    assert_eq!(alive(&host), Some(neighbours::State::Reachable));
    for number in 0..100_000 {
        host.ask(&solicits(7, &of_link(number)));
    }
    assert_eq!(host.stack.ip.neighbours().len(), neighbours::ENTRIES);
    // Those that we are to answer, and who are nowhere: each would be asked for.
    for number in 200_000..220_000 {
        host.ask(&echo(7, &of_link(number)));
        host.pass(SECOND / 10_000);
    }
    assert_eq!(host.stack.ip.neighbours().len(), neighbours::ENTRIES);
    assert_eq!(alive(&host), Some(neighbours::State::Reachable));
    assert_eq!(host.ask(&echo(2, "fe80::2"))[0][..6], mac(2).0);
}

#[test]
fn redirects_of_ipv6_are_ignored() {
    let mut host = Host::new(1, &["fe80::1/64", "2001:db8::1/64"]);
    let octets = |text: &str| text.parse::<core::net::Ipv6Addr>().unwrap().octets();
    let body = [octets("fe80::66"), octets("2001:db8::5")].concat();
    let before = host.stack.ip.way(ip("2001:db8::5"), None, 0).unwrap();
    host.give(&v6(2, "fe80::99", "fe80::1", 58, 255, &icmp(Some(("fe80::99", "fe80::1")), 137, 0, 0, &body)));
    assert_eq!(host.stack.ip.way(ip("2001:db8::5"), None, 0).unwrap().next, before.next);
    assert_eq!(host.stack.ip.icmp_statistics(false).redirects_ignored, 1);
}

#[test]
fn a_thousand_servers_of_names_are_eight() {
    let mut host: Host = Host::bare(1, 1500, Medium::Ethernet(mac(1)));
    host.stack.ip.autoconfigure(host.now, LINK).unwrap();
    host.settle();
    for number in 0..1000_u16 {
        let address = format!("2001:db8::{number:x}").parse::<core::net::Ipv6Addr>().unwrap().octets();
        let option = [&[25, 3, 0, 0, 0, 0, 7, 8][..], &address].concat();
        let body = [&[0; 8][..], &option].concat();
        let message = icmp(Some(("fe80::99", "ff02::1")), 134, 0, 64 << 24 | 1800, &body);
        host.give(&v6(2, "fe80::99", "ff02::1", 58, 255, &message));
    }
    assert_eq!(host.stack.ip.servers().len(), 8);
}

#[test]
fn queries_about_groups_set_one_alarm_and_the_earliest_counts() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    host.stack.ip.join(host.now, LINK, ip("239.0.0.5")).unwrap();
    host.settle();
    // RFC 3376, 4.1.1: the longest time that can be said, some 53 minutes.
    let query = |code: u8, group: [u8; 4]| {
        let mut body = [&[0x11, code, 0, 0][..], &group, &[0, 0, 0, 0]].concat();
        let sum = packets::checksum::of(&body).to_be_bytes();
        body[2..4].copy_from_slice(&sum);
        let mut frame = v4(2, "10.0.0.2", "224.0.0.1", 2, &body);
        frame[..6].copy_from_slice(&[1, 0, 0x5e, 0, 0, 1]);
        frame
    };
    for number in 0..100_000_u32 {
        let [_, b, c, d] = number.to_be_bytes();
        host.give(&query(0xff, [0; 4]));
        host.give(&query(0xff, [239, b, c, d]));
    }
    host.give(&query(10, [0; 4]));
    host.pass(SECOND);
    let reports = host.sent();
    assert_eq!(reports.len(), 1, "the real querier has its answer in a second");
    host.pass(SECOND * 3600);
    assert!(host.sent().len() <= 1, "and the liar one at most: that about the group");
}

/// A frame of a known protocol with some noise in it.
fn noisy(numbers: &mut Numbers) -> Vec<u8> {
    let payload: Vec<u8> = (0..numbers.below(3_000)).map(|_| numbers.below(256) as u8).collect();
    let mut frame = match numbers.below(5) {
        0 => v4(2, "10.0.0.2", "10.0.0.1", 17, &datagram(("10.0.0.2", 9), ("10.0.0.1", 5), &payload)),
        1 => v6(2, "fe80::2", "fe80::1", 17, 64, &datagram(("fe80::2", 9), ("fe80::1", 5), &payload)),
        2 => v4(2, "10.0.0.2", "10.0.0.1", 6, &payload),
        3 => v6(2, "fe80::2", "fe80::1", 6, 64, &payload),
        _ => v4(2, "10.0.0.2", "10.0.0.1", 1, &icmp(None, 8, 0, 7, &payload)),
    };
    for _ in 0..numbers.below(3) {
        let at = numbers.below(frame.len());
        frame[at] ^= numbers.below(256) as u8;
    }
    frame
}

/// A device's header is foreign bytes too.
#[test]
fn any_words_of_a_device_are_harmless() {
    let (mut host, mut numbers) = (Host::new(1, &["10.0.0.1/24", "fe80::1/64"]), Numbers(1));
    host.knows(2, ip("10.0.0.2"));
    let socket = host.socket("[::]:5");
    for round in 0..30_000 {
        let mut packet = Packet::received(noisy(&mut numbers).into(), Default::default());
        let mut word = || [0, 1, 14, 20, 34, 1_480, 65_535][numbers.below(7)];
        packet.offload.checksum = match word() % 3 {
            0 => Checksum::Good,
            1 => Checksum::Complete,
            _ => Checksum::Partial { start: word(), offset: word() },
        };
        let kinds = [SegmentationKind::Udp, SegmentationKind::TcpIpv4, SegmentationKind::TcpIpv6];
        let (kind, size) = (kinds[usize::from(word()) % 3], word());
        packet.offload.segmentation = (round % 2 == 0).then_some(Segmentation { kind, size });
        host.stack.receive(host.now, LINK, &mut vec![packet]);
        let sent = core::mem::take(host.stack.outgoing(LINK).unwrap());
        assert!(sent.len() <= interface::QUEUE);
        for packet in sent {
            assert!(packet.len() <= 1_514 && packet.offload.checksum == Checksum::Complete, "round {round}");
        }
        assert!(host.stack.ip.reassembly_memory() <= reassembly::MEMORY);
        while host.stack.udp.receive(socket).is_ok() {}
    }
}
