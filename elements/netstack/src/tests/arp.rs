//! ARP: RFC 826, RFC 5227.

use core::time::Duration;
use std::vec::Vec;

use super::world::*;
use crate::neighbours::{QUEUED, QUEUED_IN_NEED, State};

fn arp(operation: u8, station: u8, from: &str, target: u8, to: &str, frame_to: [u8; 6]) -> Vec<u8> {
    let octets = |text: &str| text.parse::<core::net::Ipv4Addr>().unwrap().octets();
    let mut body = [0, 1, 8, 0, 6, 4, 0, operation].to_vec();
    body.extend(mac(station).0);
    body.extend(octets(from));
    body.extend(if target == 0 { [0; 6] } else { mac(target).0 });
    body.extend(octets(to));
    frame(crate::Address(frame_to), station, 0x0806, &body)
}

pub fn request(station: u8, from: &str, to: &str) -> Vec<u8> {
    arp(1, station, from, 0, to, [0xff; 6])
}

fn reply(station: u8, from: &str) -> Vec<u8> {
    arp(2, station, from, 1, "10.0.0.1", mac(1).0)
}

fn host() -> Host {
    Host::new(1, &["10.0.0.1/24"])
}

fn ping(host: &mut Host, to: &str) -> Vec<Vec<u8>> {
    let way = host.stack.ip.way(ip(to), None, 0).unwrap();
    let packet = crate::Packet::received(icmp(None, 8, 0, 1, b"x").into(), Default::default());
    host.stack.ip.send(host.now, crate::Departure::new(way, 1, packet)).unwrap();
    host.sent()
}

fn state(host: &Host, address: &str) -> Option<State> {
    host.stack.ip.neighbours().state(host.now, (LINK, ip(address)))
}

#[test]
fn our_address_is_told() {
    let mut host = host();
    let answer = host.ask(&request(2, "10.0.0.2", "10.0.0.1"));
    assert_eq!(answer, [arp(2, 1, "10.0.0.1", 2, "10.0.0.2", mac(2).0)]);
    assert_eq!(state(&host, "10.0.0.2"), Some(State::Stale));
    assert!(host.ask(&request(3, "10.0.0.3", "10.0.0.4")).is_empty());
    assert_eq!(state(&host, "10.0.0.3"), None, "who asks for others is not remembered");
    let probe = host.ask(&request(4, "0.0.0.0", "10.0.0.1"));
    assert_eq!(probe, [arp(2, 1, "10.0.0.1", 4, "0.0.0.0", mac(4).0)]);
    assert_eq!(host.stack.ip.neighbours().len(), 1);
}

#[test]
fn malformed_ones_are_dropped() {
    let whole = request(2, "10.0.0.2", "10.0.0.1");
    for length in 14..whole.len() {
        assert!(host().ask(&whole[..length]).is_empty(), "{length}");
    }
    for (at, value) in [(15, 2), (16, 9), (18, 7), (19, 5), (22, 1)] {
        let mut wrong = whole.clone();
        wrong[at] = value;
        assert!(host().ask(&wrong).is_empty(), "byte {at}");
    }
    let conflict = host().ask(&request(2, "10.0.0.1", "10.0.0.1"));
    assert_eq!(conflict, [request(1, "10.0.0.1", "10.0.0.1")], "our own address is defended: RFC 5227, 2.4");
}

#[test]
fn packets_wait_for_an_answer_and_the_newest_are_kept() {
    let mut host = host();
    assert_eq!(ping(&mut host, "10.0.0.2"), [request(1, "10.0.0.1", "10.0.0.2")]);
    for _ in 0..2 * QUEUED {
        assert!(ping(&mut host, "10.0.0.2").is_empty());
    }
    let sent = host.ask(&reply(2, "10.0.0.2"));
    assert_eq!(sent.len(), QUEUED);
    assert!(sent.iter().all(|frame| frame[..6] == mac(2).0 && frame[34] == 8));
    assert_eq!(state(&host, "10.0.0.2"), Some(State::Reachable));
    assert_eq!(ping(&mut host, "10.0.0.2").len(), 1);
    assert_eq!(host.stack.ip.neighbours().waiting(), 0, "all is given back");
}

/// Silent neighbours that are sent much to leave room for the first packets to the others.
#[test]
fn who_waits_in_bulk_leaves_room_for_others() {
    let mut host = host();
    let packet = ping(&mut host, "10.0.0.2").len();
    assert_eq!(packet, 1);
    let one = host.stack.ip.neighbours().waiting();
    host.stack.ip.set_limit(one * 4 * QUEUED);
    for number in 3..=12 {
        for _ in 0..2 * QUEUED {
            ping(&mut host, &std::format!("10.0.0.{number}"));
        }
    }
    assert!(host.stack.ip.neighbours().waiting() <= one * (2 * QUEUED + 10 * QUEUED_IN_NEED));
    ping(&mut host, "10.0.0.20");
    assert_eq!(host.ask(&reply(20, "10.0.0.20")).len(), 1);
}

#[test]
fn silence_ends_after_three_questions() {
    let mut host = host();
    assert_eq!(ping(&mut host, "10.0.0.2").len(), 1);
    host.pass(Duration::from_secs(10));
    assert_eq!(host.sent().len(), 2);
    assert_eq!(state(&host, "10.0.0.2"), None);
    assert_eq!(host.stack.deadline(), None, "nothing is left to do");
}

#[test]
fn a_stale_one_is_probed_when_it_is_used() {
    let mut host = host();
    ping(&mut host, "10.0.0.2");
    host.ask(&reply(2, "10.0.0.2"));
    host.pass(Duration::from_secs(60));
    assert_eq!((state(&host, "10.0.0.2"), host.sent().len()), (Some(State::Stale), 0));
    assert_eq!(ping(&mut host, "10.0.0.2").len(), 1, "it is used at once");
    assert_eq!(state(&host, "10.0.0.2"), Some(State::Delay));
    host.pass(Duration::from_secs(5));
    assert_eq!(host.sent(), [arp(1, 1, "10.0.0.1", 0, "10.0.0.2", mac(2).0)], "and asked alone");
    host.ask(&reply(2, "10.0.0.2"));
    assert_eq!(state(&host, "10.0.0.2"), Some(State::Reachable));
}

#[test]
fn a_fixed_address_is_announced_once() {
    let mut host = host();
    host.stack.ip.announce_once(LINK, "10.0.0.1".parse().unwrap());
    assert_eq!(host.sent(), [arp(1, 1, "10.0.0.1", 0, "10.0.0.1", [0xff; 6])]);
    host.pass(Duration::from_secs(60));
    assert!(host.sent().is_empty());
}

#[test]
fn nobody_takes_a_live_entry_over() {
    let mut host = host();
    ping(&mut host, "10.0.0.2");
    host.ask(&reply(2, "10.0.0.2"));
    let gratuitous = arp(1, 9, "10.0.0.2", 0, "10.0.0.2", [0xff; 6]);
    for forged in [gratuitous, reply(9, "10.0.0.2"), request(9, "10.0.0.2", "10.0.0.1")] {
        host.ask(&forged);
        let sent = ping(&mut host, "10.0.0.2");
        assert_eq!(sent.last().unwrap()[..6], mac(2).0, "still at the old place");
    }
    // The real one is asked, and answers.
    host.pass(Duration::from_millis(1));
    assert!(host.sent().iter().any(|frame| frame[..6] == mac(2).0 && frame[13] == 6));
    host.ask(&reply(2, "10.0.0.2"));
    assert_eq!(state(&host, "10.0.0.2"), Some(State::Reachable));
}

#[test]
fn one_that_has_moved_is_found_again() {
    let mut host = host();
    ping(&mut host, "10.0.0.2");
    host.ask(&reply(2, "10.0.0.2"));
    host.ask(&arp(1, 9, "10.0.0.2", 0, "10.0.0.2", [0xff; 6]));
    host.pass(Duration::from_secs(5));
    host.sent();
    assert_eq!(state(&host, "10.0.0.2"), None, "the old place is silent");
    assert_eq!(ping(&mut host, "10.0.0.2").len(), 1);
    assert_eq!(host.ask(&reply(9, "10.0.0.2"))[0][..6], mac(9).0);
}

#[test]
fn a_flood_of_neighbours_leaves_live_ones() {
    let mut host = Host::new(1, &["10.0.0.1/8"]);
    ping(&mut host, "10.255.0.2");
    host.ask(&arp(2, 2, "10.255.0.2", 1, "10.0.0.1", mac(1).0));
    for number in 1..=100_000_u32 {
        let [_, b, c, d] = number.to_be_bytes();
        host.ask(&request(7, &std::format!("10.{b}.{c}.{d}"), "10.0.0.1"));
    }
    assert_eq!(host.stack.ip.neighbours().len(), crate::neighbours::ENTRIES);
    assert_eq!(state(&host, "10.255.0.2"), Some(State::Reachable));
    assert_eq!(ping(&mut host, "10.255.0.2")[0][..6], mac(2).0);
    // And ours: nobody answers for 100,000 addresses.
    for number in 0..100_000_u32 {
        let [_, b, c, d] = number.to_be_bytes();
        ping(&mut host, &std::format!("10.{}.{c}.{d}", 128 + b));
    }
    assert!(host.stack.ip.neighbours().len() <= crate::neighbours::ENTRIES);
    assert_eq!(ping(&mut host, "10.255.0.2")[0][..6], mac(2).0);
}
