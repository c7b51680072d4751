//! Neighbour discovery and addresses that configure themselves: RFC 4861, RFC 4862, RFC 6980, RFC 7217, RFC 8106.

use core::{net::IpAddr, time::Duration};
use std::{vec, vec::Vec};

use super::world::*;
use crate::{
    Medium,
    interface::{Origin, Standing},
    neighbours::State,
};

const ROUTER: &str = "fe80::99";

fn octets(text: &str) -> [u8; 16] {
    text.parse::<core::net::Ipv6Addr>().unwrap().octets()
}

/// A message of neighbour discovery from station 2.
fn message(from: &str, to: &str, kind: u8, word: u32, body: &[u8]) -> Vec<u8> {
    v6(2, from, to, 58, 255, &icmp(Some((from, to)), kind, 0, word, body))
}

fn solicitation(from: &str, to: &str, target: &str, option: bool) -> Vec<u8> {
    let address = [&[1, 1][..], &mac(2).0].concat();
    message(from, to, 135, 0, &[&octets(target)[..], if option { &address } else { &[] }].concat())
}

fn advertisement(from: &str, to: &str, flags: u32, target: &str, station: u8) -> Vec<u8> {
    message(from, to, 136, flags, &[&octets(target)[..], &[2, 1], &mac(station).0].concat())
}

/// A router's word: lifetime of the route by it, and options.
fn router(lifetime: u16, options: &[Vec<u8>]) -> Vec<u8> {
    let word = 64 << 24 | u32::from(lifetime);
    let body = [&[0; 8][..], &options.concat()].concat();
    message(ROUTER, "ff02::1", 134, word, &body)
}

fn prefix_option(flags: u8, valid: u32, preferred: u32, address: &str) -> Vec<u8> {
    [&[3, 4, 64, flags][..], &valid.to_be_bytes(), &preferred.to_be_bytes(), &[0; 4], &octets(address)].concat()
}

fn alone() -> Host {
    let mut host = Host::bare(1, 1500, Medium::Ethernet(mac(1)));
    host.stack.ip.autoconfigure(host.now, LINK).unwrap();
    host
}

fn addresses(host: &Host) -> Vec<(IpAddr, Origin, Standing)> {
    let all = host.stack.ip.interface(LINK).unwrap().addresses();
    all.iter().map(|assigned| (assigned.prefix.address, assigned.origin, assigned.standing)).collect()
}

#[test]
fn our_address_is_told() {
    let mut host = Host::new(1, &["fe80::1/64"]);
    let answer = host.ask(&solicitation("fe80::2", "ff02::1:ff00:1", "fe80::1", true));
    let wanted = [&octets("fe80::1")[..], &[2, 1], &mac(1).0].concat();
    let icmp = icmp(Some(("fe80::1", "fe80::2")), 136, 0, 0x6000_0000, &wanted);
    assert_eq!(answer.len(), 1);
    assert_eq!((&answer[0][..6], answer[0][21], &answer[0][54..]), (&mac(2).0[..], 255, &icmp[..]));
    // It was heard, and the answer has used it.
    assert_eq!(host.stack.ip.neighbours().state(host.now, (LINK, ip("fe80::2"))), Some(State::Delay));
}

#[test]
fn what_has_passed_a_router_is_dropped() {
    let good = solicitation("fe80::2", "ff02::1:ff00:1", "fe80::1", true);
    let mut host = Host::new(1, &["fe80::1/64"]);
    let mut far = good.clone();
    far[21] = 254;
    let mut coded = good.clone();
    coded[55] = 1;
    for wrong in [
        far,
        coded,
        solicitation("fe80::2", "fe80::1", "ff02::1", true),
        solicitation("::", "fe80::1", "fe80::1", false),
    ] {
        assert!(host.ask(&wrong).is_empty());
    }
    // An option without length: RFC 4861, 4.6.
    let body = [&octets("fe80::1")[..], &[1, 0, 0, 0, 0, 0, 0, 0]].concat();
    assert!(host.ask(&message("fe80::2", "fe80::1", 135, 0, &body)).is_empty());
    // In a fragment of its own: RFC 6980.
    let inner = icmp(Some(("fe80::2", "fe80::1")), 135, 0, 0, &octets("fe80::1"));
    let fragment = [&[58, 0, 0, 0, 0, 0, 0, 1][..], &inner].concat();
    assert!(host.ask(&v6(2, "fe80::2", "fe80::1", 44, 255, &fragment)).is_empty());
    assert!(host.stack.ip.neighbours().is_empty());
    assert_eq!(host.ask(&good).len(), 1);
}

#[test]
fn nobody_takes_a_live_entry_over() {
    let mut host = Host::new(1, &["fe80::1/64"]);
    let key = (LINK, ip("fe80::2"));
    host.ask(&advertisement("fe80::2", "fe80::1", 0x6000_0000, "fe80::2", 2));
    assert!(host.stack.ip.neighbours().is_empty(), "nobody asked for it");
    host.ask(&v6(2, "fe80::2", "fe80::1", 58, 64, &icmp(Some(("fe80::2", "fe80::1")), 128, 0, 1, b"")));
    let answers = host.ask(&advertisement("fe80::2", "fe80::1", 0x6000_0000, "fe80::2", 2));
    assert_eq!((answers.len(), host.stack.ip.neighbours().state(host.now, key)), (1, Some(State::Reachable)));
    host.ask(&advertisement("fe80::2", "ff02::1", 0x2000_0000, "fe80::2", 9));
    host.ask(&advertisement("fe80::2", "fe80::1", 0x6000_0000, "fe80::2", 9));
    let list: Vec<_> = host.stack.ip.neighbours().list(host.now).collect();
    assert_eq!((list.len(), list[0].2), (1, Some(mac(2))));
}

#[test]
fn an_address_of_the_link_is_tried_and_then_ours() {
    let mut host = alone();
    let [(address, Origin::LinkLocal, Standing::Tentative)] = addresses(&host)[..] else { panic!("no address") };
    let sent = host.sent();
    // A report of its group, then the question, from nobody.
    let probe = sent.iter().find(|frame| frame[20] == 58).unwrap();
    assert_eq!(
        (probe[54], &probe[22..38], &probe[62..78]),
        (135, &[0; 16][..], &octets(&std::format!("{address}"))[..])
    );
    assert_eq!(probe.len(), 78, "no option");
    host.pass(SECOND * 2);
    assert_eq!(addresses(&host)[0].2, Standing::Ours);
    // Routers are asked three times.
    host.pass(SECOND * 30);
    let asked = host.sent().iter().filter(|frame| frame[20] == 58 && frame[54] == 133).count();
    assert_eq!(asked, 3);
    let again = alone();
    assert_eq!(addresses(&again)[0].0, address, "the same each time");
    assert_eq!(host.stack.deadline(), None);
}

#[test]
fn one_that_others_have_is_not_taken() {
    let mut host = alone();
    let mut seen = vec![];
    for _ in 0..4 {
        let (address, _, standing) = addresses(&host)[0];
        assert!(standing == Standing::Tentative && !seen.contains(&address));
        seen.push(address);
        host.give(&advertisement("fe80::77", "ff02::1", 0x2000_0000, &std::format!("{address}"), 2));
    }
    assert_eq!(addresses(&host)[0].2, Standing::Duplicate, "RFC 7217 gives up");
    host.pass(SECOND * 5);
    assert_eq!(addresses(&host)[0].2, Standing::Duplicate);
    // Somebody who tries it at the same time counts too: RFC 4862, 5.4.3.
    let mut host = alone();
    let (address, ..) = addresses(&host)[0];
    let IpAddr::V6(target) = address else { panic!() };
    let group = std::format!("{}", crate::address::solicited_node(target));
    host.give(&solicitation("::", &group, &std::format!("{address}"), false));
    assert_ne!(addresses(&host)[0].0, address);
}

fn configured() -> Host {
    let mut host = alone();
    host.settle();
    let servers = [&[25, 3, 0, 0, 0, 0, 2, 88][..], &octets("2001:db8::53")].concat();
    let mtu = vec![5, 1, 0, 0, 0, 0, 5, 120];
    let network = [&[24, 2, 48, 8, 0, 0, 1, 0][..], &octets("2001:db8:ff::")[..8]].concat();
    host.give(&router(
        1800,
        &[vec![1, 1, 2, 0, 0, 0, 0, 2], prefix_option(0xc0, 7200, 3600, "2001:db8:1::"), servers, mtu, network],
    ));
    host
}

#[test]
fn routers_are_believed() {
    let mut host = configured();
    host.settle();
    let (address, origin, standing) = addresses(&host)[1];
    assert_eq!((origin, standing), (Origin::Advertised, Standing::Ours));
    assert!(prefix("2001:db8:1::/64").contains(address));
    let way = host.stack.ip.way(ip("2001:4860::1"), None, 0).unwrap();
    assert_eq!((way.next, way.from, way.mtu), (ip(ROUTER), address, 1400));
    assert_eq!(host.stack.ip.way(ip("2001:db8:1::7"), None, 0).unwrap().next, ip("2001:db8:1::7"));
    assert_eq!(host.stack.ip.servers()[0].address, ip("2001:db8::53"));
    assert_eq!(host.stack.ip.routes().list().iter().filter(|route| route.gateway == Some(ip(ROUTER))).count(), 2);
    // Everything ends by itself: the server first, the network of the route, the router, the address.
    host.pass(SECOND * 700);
    assert!(host.stack.ip.servers().is_empty());
    host.pass(SECOND * 1200);
    assert!(host.stack.ip.way(ip("2001:4860::1"), None, 0).is_err());
    host.pass(SECOND * 6000);
    assert_eq!(addresses(&host).len(), 1);
    assert_eq!(host.stack.deadline(), None);
}

#[test]
fn nobody_ends_an_address_at_once() {
    let mut host = configured();
    let left = |host: &Host| {
        let assigned = host.stack.ip.interface(LINK).unwrap().addresses()[1];
        assigned.valid_until.unwrap().since(host.now)
    };
    host.give(&router(0, &[prefix_option(0xc0, 86_400, 86_400, "2001:db8:1::")]));
    assert_eq!(left(&host), SECOND * 86_400);
    assert!(host.stack.ip.way(ip("2001:4860::1"), None, 0).is_err(), "a router may go at once");
    host.give(&router(1800, &[prefix_option(0xc0, 1, 1, "2001:db8:1::")]));
    assert_eq!(left(&host), Duration::from_secs(7200), "two hours stay");
    host.pass(SECOND * 10);
    host.give(&router(1800, &[prefix_option(0xc0, 1, 1, "2001:db8:1::")]));
    assert_eq!(left(&host), Duration::from_secs(7190));
}

#[test]
fn wrong_words_of_routers_do_nothing() {
    let mut host = alone();
    host.settle();
    let good = router(1800, &[prefix_option(0xc0, 7200, 3600, "2001:db8:1::")]);
    let mut far = good.clone();
    far[21] = 64;
    let global = message("2001:db8::9", "ff02::1", 134, 64 << 24 | 1800, &[0; 8]);
    for wrong in [far, global] {
        host.give(&wrong);
    }
    for option in [
        prefix_option(0xc0, 10, 20, "2001:db8:1::"),
        prefix_option(0xc0, 7200, 20, "fe80::"),
        vec![3, 0, 64, 0xc0, 0, 0, 0, 0],
    ] {
        host.give(&router(0, &[option]));
    }
    assert_eq!((addresses(&host).len(), host.stack.ip.way(ip("2001:4860::1"), None, 0).is_err()), (1, true));
    // A thousand liars.
    for number in 0..1000_u32 {
        let text = std::format!("2001:db8:{number:x}::");
        host.give(&router(1800, &[prefix_option(0xc0, 7200, 3600, &text)]));
    }
    assert!(addresses(&host).len() <= 9 && host.stack.ip.routes().list().len() <= 20);
    let mut settled = Host::new(1, &["fe80::1/64"]);
    settled.give(&good);
    assert_eq!(addresses(&settled).len(), 1, "who does not listen");
}

#[test]
fn a_router_sends_us_to_a_server_of_dhcp() {
    let mut host = alone();
    host.settle();
    let own = addresses(&host)[0].0;
    let body = [0; 8];
    host.give(&message(ROUTER, "ff02::1", 134, 64 << 24 | 0x40 << 16, &body));
    host.pass(SECOND * 10);
    let asked: Vec<_> = host.sent().into_iter().filter(|frame| frame[20] == 17).collect();
    assert!((3..=5).contains(&asked.len()), "again and again, and rarer: {}", asked.len());
    let ask = &asked[0];
    assert_eq!((&ask[38..54], &ask[54..58]), (&octets("ff02::1:2")[..], &[2, 34, 2, 35][..]));
    assert_eq!((ask[62], &ask[66..80]), (11, &[&[0, 1, 0, 10, 0, 3, 0, 1][..], &mac(1).0].concat()[..]));
    let own = std::format!("{own}");
    let answer = |transaction: &[u8]| {
        let options =
            [&[0, 2, 0, 4, 0, 3, 0, 1, 0, 23, 0, 16][..], &octets("2001:db8::35"), &[0, 32, 0, 4, 0, 0, 2, 88]]
                .concat();
        let message = [&[7][..], transaction, &options].concat();
        v6(2, "fe80::99", &own, 17, 64, &datagram(("fe80::99", 547), (&own, 546), &message))
    };
    host.give(&answer(&[1, 2, 3]));
    assert!(host.stack.ip.servers().is_empty(), "nobody asked for it");
    let good = answer(&ask[63..66]);
    for length in 54..good.len() {
        host.give(&good[..length]);
    }
    assert!(host.stack.ip.servers().is_empty());
    host.give(&good);
    assert_eq!(host.stack.ip.servers()[0].address, ip("2001:db8::35"));
    host.pass(SECOND * 599);
    assert!(host.sent().iter().all(|frame| frame[20] != 17));
    host.pass(SECOND * 2);
    assert_eq!(host.sent().iter().filter(|frame| frame[20] == 17).count(), 1, "it is refreshed");
}
