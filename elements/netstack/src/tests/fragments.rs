//! Fragments: RFC 791, RFC 5722, RFC 6946, RFC 7112, RFC 8200. All of the table of attacks that is about them.

use std::{vec, vec::Vec};

use super::world::*;
use crate::{Handle, reassembly};

const A: &str = "10.0.0.1";
const B: &str = "10.0.0.2";

struct World {
    host: Host,
    socket: Handle,
}

fn world() -> World {
    let mut host = Host::new(1, &["10.0.0.1/24", "2001:db8::1/64"]);
    host.knows(2, ip(B));
    let socket = host.socket("[::]:5");
    World { host, socket }
}

impl World {
    fn give(&mut self, frames: &[Vec<u8>]) {
        frames.iter().for_each(|frame| self.host.give(frame));
    }

    fn heard(&mut self) -> Option<Vec<u8>> {
        self.host.stack.udp.receive(self.socket).ok().map(|datagram| datagram.to_vec())
    }

    fn memory(&self) -> usize {
        self.host.stack.ip.reassembly_memory()
    }
}

fn piece(number: u16, bytes: &[u8], from: usize, to: usize, more: bool) -> Vec<u8> {
    piece_of(B, number, bytes, from, to, more)
}

fn piece_of(source: &str, number: u16, bytes: &[u8], from: usize, to: usize, more: bool) -> Vec<u8> {
    v4_with(2, source, A, 17, &bytes[from..to], |header| {
        header.identification = number.into();
        header.fragment = ((from / 8) as u16 | if more { 0x2000 } else { 0 }).into();
    })
}

fn piece_v6(number: u32, bytes: &[u8], from: usize, to: usize, more: bool) -> Vec<u8> {
    let header = [&[17, 0][..], &(from as u16 | u16::from(more)).to_be_bytes(), &number.to_be_bytes()].concat();
    v6(2, "2001:db8::2", "2001:db8::1", 44, 64, &[&header, &bytes[from..to]].concat())
}

fn long() -> (Vec<u8>, Vec<u8>) {
    let payload: Vec<u8> = (0..100_u8).map(|byte| byte.wrapping_mul(37)).collect();
    (datagram((B, 9), (A, 5), &payload), payload)
}

#[test]
fn any_order_makes_a_whole() {
    let (bytes, payload) = long();
    let cuts = [(0, 24), (24, 48), (48, 80), (80, 108)];
    let pieces: Vec<_> = cuts.iter().map(|&(from, to)| piece(7, &bytes, from, to, to < 108)).collect();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
        let mut world = world();
        for (count, index) in order.into_iter().enumerate() {
            assert_eq!(world.heard(), None, "{count} of 4");
            world.give(&[pieces[index].clone(), pieces[if count < 3 { index } else { 0 }].clone()]);
        }
        assert_eq!(world.heard(), Some(payload.clone()), "{order:?}");
    }
    let bytes = datagram(("2001:db8::2", 9), ("2001:db8::1", 5), &payload);
    let mut world = world();
    world.give(&[piece_v6(1, &bytes, 56, 108, false), piece_v6(1, &bytes, 0, 56, true)]);
    assert_eq!((world.heard(), world.memory()), (Some(payload), 0));
}

#[test]
fn fragments_of_different_packets_are_not_mixed() {
    let (bytes, _) = long();
    let mut world = world();
    world.give(&[piece(1, &bytes, 0, 56, true), piece(2, &bytes, 56, 108, false)]);
    world.give(&[piece_of("10.0.0.3", 1, &bytes, 56, 108, false)]);
    assert_eq!(world.heard(), None);
    world.give(&[piece(1, &bytes, 56, 108, false)]);
    assert!(world.heard().is_some());
}

#[test]
fn an_overlap_ends_the_packet() {
    let (bytes, _) = long();
    let evil = vec![0xee; 108];
    // Each of: teardrop, over the beginning, over the end, around, the same place with other bytes, two ends.
    let overlaps = [(32, 64), (0, 16), (40, 80), (16, 72), (24, 56), (64, 100)];
    for (number, (from, to)) in overlaps.into_iter().enumerate() {
        let mut world = world();
        let number = number as u16;
        world.give(&[piece(number, &bytes, 24, 56, true), piece(number, &bytes, 80, 108, false)]);
        world.give(&[piece(number, &evil, from, to, to % 8 == 0)]);
        // RFC 5722: what still comes is dropped too.
        world.give(&[piece(number, &bytes, 0, 24, true), piece(number, &bytes, 24, 56, true)]);
        world.give(&[piece(number, &bytes, 56, 80, true), piece(number, &bytes, 80, 108, false)]);
        assert_eq!(world.heard(), None, "{from} to {to}");
        assert!(world.memory() < 500, "only its place is kept");
        world.host.pass(SECOND * 31);
        assert_eq!(world.memory(), 0);
    }
}

#[test]
fn tiny_and_endless_ones_are_dropped() {
    let (bytes, _) = long();
    let mut world = world();
    world.give(&[piece(1, &bytes, 0, 4, true), piece(1, &bytes, 0, 12, true), piece(1, &bytes, 8, 8, true)]);
    let beyond = v4_with(2, B, A, 17, &[0; 100], |header| header.fragment = 0x1fff.into());
    world.give(&[beyond]);
    // Within the header of TCP: RFC 1858.
    let tcp = v4_with(2, B, A, 6, &[0; 16], |header| header.fragment = 0x2001.into());
    world.give(&[tcp]);
    assert_eq!(world.memory(), 0);
    for from in (0..65_000).step_by(8) {
        world.give(&[v4_with(2, B, A, 17, &[0; 8], |header| header.fragment = ((from / 8) as u16 | 0x2000).into())]);
    }
    assert!(world.memory() <= reassembly::FRAGMENTS * 200);
    assert_eq!(world.heard(), None);
}

#[test]
fn memory_is_bounded_and_shared() {
    let mut world = world();
    let bytes = vec![0; 1480];
    for number in 0..20_000 {
        world.give(&[piece(number, &bytes, 0, 1480, true)]);
    }
    assert!(world.memory() <= reassembly::SHARE, "one source has a quarter");
    let (good, payload) = long();
    world.give(&[piece_of("10.0.0.3", 1, &good, 0, 56, true), piece_of("10.0.0.3", 1, &good, 56, 108, false)]);
    let sum = datagram(("10.0.0.3", 9), (A, 5), &payload);
    world.give(&[piece_of("10.0.0.3", 2, &sum, 0, 56, true), piece_of("10.0.0.3", 2, &sum, 56, 108, false)]);
    assert_eq!(world.heard(), Some(payload), "others have room");
    for number in 0..20_000_u32 {
        let source = std::format!("10.0.{}.{}", 1 + number % 200, 1 + number % 250);
        world.give(&[piece_of(&source, number as u16, &bytes, 0, 1480, true)]);
    }
    assert!(world.memory() <= reassembly::MEMORY && world.memory() > reassembly::MEMORY / 2);
    world.host.pass(SECOND * 31);
    assert_eq!(world.memory(), 0);
    assert!(world.host.stack.ip.statistics(true).reassembly_timeouts > 1000);
}

#[test]
fn who_waits_too_long_is_told() {
    let (bytes, _) = long();
    let mut world = world();
    world.give(&[piece(1, &bytes, 0, 56, true), piece(2, &bytes, 56, 108, false)]);
    world.host.pass(SECOND * 29);
    assert!(world.host.sent().is_empty());
    world.host.pass(SECOND * 2);
    let told = world.host.sent();
    assert_eq!(told.len(), 1, "only about the one whose first is there");
    assert_eq!((told[0][34], told[0][35], told[0][32..34].to_vec()), (11, 1, vec![0, 2]));
    assert_eq!(told[0][42 + 20..42 + 28], bytes[..8]);
}

#[test]
fn one_that_is_all_is_taken_alone() {
    let mut world = world();
    let bytes = datagram(("2001:db8::2", 9), ("2001:db8::1", 5), b"atomic");
    world.give(&[piece_v6(1, &[0xee; 64], 0, 64, true), piece_v6(1, &bytes, 0, bytes.len(), false)]);
    assert_eq!(world.heard(), Some(b"atomic".to_vec()));
    assert!(world.memory() > 0, "the others still wait");
}

#[test]
fn what_ipv6_forbids_is_told() {
    let mut world = world();
    let told = |host: &mut World, frame: Vec<u8>| {
        host.give(&[frame]);
        let sent = host.host.sent();
        // The neighbour is asked for first.
        let answer = sent.iter().find(|frame| frame[54] == 135).cloned();
        match answer {
            Some(_) => {
                let body = [&[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 1][..], &mac(2).0].concat();
                let message = icmp(Some(("2001:db8::2", "2001:db8::1")), 136, 0, 0x6000_0000, &body);
                host.host.ask(&v6(2, "2001:db8::2", "2001:db8::1", 58, 255, &message))
            }
            None => sent,
        }
    };
    let code = |frames: Vec<Vec<u8>>| frames.first().map(|frame| (frame[54], frame[55], frame[61]));
    // Not a multiple of 8: RFC 8200, 4.5.
    assert_eq!(code(told(&mut world, piece_v6(1, &[0; 64], 0, 60, true))), Some((4, 0, 4)));
    // Too long when put together.
    assert_eq!(
        code(told(&mut world, {
            let header = [17, 0, 0xff, 0xf0, 0, 0, 0, 1];
            v6(2, "2001:db8::2", "2001:db8::1", 44, 64, &[&header[..], &[0; 64]].concat())
        })),
        Some((4, 0, 42))
    );
    // Headers that are not all in the first: RFC 7112.
    let header = [60, 0, 0, 1, 0, 0, 0, 1];
    let options = [17, 9, 1, 4, 0, 0, 0, 0];
    let frame = v6(2, "2001:db8::2", "2001:db8::1", 44, 64, &[&header[..], &options].concat());
    assert_eq!(code(told(&mut world, frame)), Some((4, 3, 0)));
    assert_eq!(world.memory(), 0);
}

#[test]
fn noise_does_nothing() {
    let mut world = world();
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for _ in 0..20_000 {
        let (from, length, more) = (next() % 40 * 8, next() % 8 * 8 + next() % 3, next() % 3 > 0);
        let bytes = vec![next() as u8; 400];
        let frame = match next() % 2 {
            0 => piece(next() as u16 % 4, &bytes, from, from + length.min(80), more),
            _ => piece_v6(next() as u32 % 4, &bytes, from, from + length.min(80), more),
        };
        world.give(&[frame]);
        assert!(world.memory() <= reassembly::MEMORY);
    }
    world.host.pass(SECOND * 70);
    assert_eq!(world.memory(), 0);
}
