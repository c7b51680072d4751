//! Routes and sources: RFC 1122, RFC 6724.

use super::world::*;
use crate::{
    Error,
    routes::{Origin, ROUTES, Route},
};

fn route(to: &str, by: &str, metric: u32) -> Route {
    let (gateway, origin) = (Some(ip(by)), Origin::Static);
    Route { destination: prefix(to), gateway, interface: LINK, metric, source: None, origin, expires: None }
}

fn next(host: &Host, to: &str) -> Option<core::net::IpAddr> {
    host.stack.ip.way(ip(to), None, 0).ok().map(|way| way.next)
}

#[test]
fn the_longest_prefix_and_then_the_lowest_metric_win() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    assert_eq!(host.stack.ip.way(ip("8.8.8.8"), None, 0), Err(Error::Unreachable));
    for (to, by, metric) in [
        ("0.0.0.0/0", "10.0.0.9", 5),
        ("0.0.0.0/0", "10.0.0.8", 4),
        ("8.8.0.0/16", "10.0.0.7", 9),
        ("8.8.8.0/24", "10.0.0.6", 9),
    ] {
        host.stack.ip.add_route(route(to, by, metric)).unwrap();
    }
    for (to, by) in
        [("9.9.9.9", "10.0.0.8"), ("8.8.1.1", "10.0.0.7"), ("8.8.8.8", "10.0.0.6"), ("10.0.0.5", "10.0.0.5")]
    {
        assert_eq!(next(&host, to), Some(ip(by)), "{to}");
    }
    assert!(host.stack.ip.remove_route(|route| route.gateway == Some(ip("10.0.0.8"))));
    assert_eq!(next(&host, "9.9.9.9"), Some(ip("10.0.0.9")));
    for number in 0..1000_u32 {
        let _ =
            host.stack.ip.add_route(route(&std::format!("20.{}.{}.0/24", number / 250, number % 250), "10.0.0.9", 1));
    }
    assert_eq!(host.stack.ip.routes().list().len(), ROUTES);
    host.stack.ip.set_up(host.now, LINK, false).unwrap();
    assert_eq!(next(&host, "9.9.9.9"), None);
}

#[test]
fn the_source_fits_the_destination() {
    let host = Host::new(
        1,
        &["10.0.0.1/24", "10.1.0.1/16", "fe80::1/64", "2001:db8:1::1/64", "2001:db8:2::1/64", "fd00::1/64"],
    );
    let from = |to: &str| host.stack.ip.way(ip(to), None, 0).map(|way| way.from);
    assert_eq!(from("10.0.0.7"), Ok(ip("10.0.0.1")));
    assert_eq!(from("10.1.7.7"), Ok(ip("10.1.0.1")));
    assert_eq!(from("fe80::7"), Ok(ip("fe80::1")), "of the link");
    assert_eq!(from("ff02::1"), Ok(ip("fe80::1")), "of the link too");
    assert_eq!(from("2001:db8:2::7"), Ok(ip("2001:db8:2::1")), "the longest prefix");
    assert_eq!(from("fd00::9"), Ok(ip("fd00::1")));
    let chosen = host.stack.ip.way(ip("10.0.0.7"), Some(ip("10.1.0.1")), 0).unwrap();
    assert_eq!(chosen.from, ip("10.1.0.1"));
}

#[test]
fn addresses_come_and_go_with_their_networks() {
    let mut host = Host::new(1, &["10.0.0.1/24", "10.0.0.2/24"]);
    let add = |host: &mut Host, text: &str| host.stack.ip.add_address(host.now, LINK, prefix(text));
    assert_eq!(add(&mut host, "10.0.0.1/24"), Err(Error::InUse));
    assert_eq!(add(&mut host, "224.0.0.1/24"), Err(Error::NotAvailable));
    assert!(host.stack.ip.remove_address(LINK, ip("10.0.0.1")) && !host.stack.ip.has_address(ip("10.0.0.1")));
    assert_eq!(host.stack.ip.way(ip("10.0.0.7"), None, 0).unwrap().from, ip("10.0.0.2"));
    assert!(host.stack.ip.remove_address(LINK, ip("10.0.0.2")));
    assert_eq!(next(&host, "10.0.0.7"), None);
    for number in 0..40 {
        let _ = add(&mut host, &std::format!("10.0.1.{number}/24"));
    }
    assert_eq!(add(&mut host, "10.0.2.1/24"), Err(Error::Full));
}

#[test]
fn parts_that_are_not_named_are_not_there() {
    use crate::{Everything, OnlyUdp};
    let mut host: Host<OnlyUdp> = Host::bare(1, 1500, crate::Medium::Ethernet(mac(1)));
    host.stack.ip.add_address(host.now, LINK, prefix("10.0.0.1/24")).unwrap();
    assert!(host.stack.ip.add_address(host.now, LINK, prefix("fe80::1/64")).is_err());
    assert!(host.stack.start_dhcp(host.now, LINK).is_err() && host.stack.ip.autoconfigure(host.now, LINK).is_err());
    host.give(&super::arp::request(2, "10.0.0.2", "10.0.0.1"));
    host.sent();
    host.give(&v4(2, "10.0.0.2", "10.0.0.1", 6, &[0; 20]));
    assert_eq!(host.sent()[0][34..36], [3, 2], "TCP is a protocol that nobody speaks");
    let _: Option<Host<Everything>> = None;
}

/// The last judgement is kept: as long as what it follows from stays.
#[test]
fn whose_a_packet_is_follows_our_addresses_at_once() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    let mut refused = |change: &dyn Fn(&mut Host)| {
        change(&mut host);
        host.give(&v4(2, "10.0.0.2", "10.0.0.1", 1, &icmp(None, 8, 0, 1, b"x")));
        host.stack.ip.statistics(true).address_errors
    };
    assert_eq!([refused(&|_| {}), refused(&|_| {})], [0, 0]);
    let taken = refused(&|host| {
        host.stack.ip.add_address(host.now, LINK, prefix("10.0.0.2/24")).unwrap();
        host.settle();
    });
    assert_eq!(taken, 1, "nobody else sends from an address of ours");
    assert_eq!(refused(&|host| assert!(host.stack.ip.remove_address(LINK, ip("10.0.0.2")))), 1);
    assert_eq!(refused(&|host| assert!(host.stack.ip.remove_address(LINK, ip("10.0.0.1")))), 2);
}
