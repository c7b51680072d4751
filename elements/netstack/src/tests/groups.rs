//! IGMP and MLD: RFC 2236, RFC 3376, RFC 2710, RFC 3810.

use core::time::Duration;
use std::vec::Vec;

use super::world::*;

fn host() -> Host {
    Host::new(1, &["10.0.0.1/24", "fe80::1/64"])
}

/// What it says about groups, without the headers of the link.
fn told(host: &mut Host) -> Vec<Vec<u8>> {
    let of_groups = |frame: &Vec<u8>| frame[23] == 2 || frame[20] == 0;
    host.sent().into_iter().filter(of_groups).map(|frame| frame[14..].to_vec()).collect()
}

#[test]
fn joining_and_leaving_are_told_twice() {
    let mut host = host();
    host.stack.ip.join(host.now, LINK, ip("239.1.2.3")).unwrap();
    host.stack.ip.join(host.now, LINK, ip("239.1.2.3")).unwrap();
    host.pass(SECOND * 5);
    let reports = told(&mut host);
    assert_eq!(reports.len(), 2);
    let report = &reports[0];
    // IGMPv3 with router alert, CHANGE_TO_EXCLUDE of nobody.
    assert_eq!(
        (&report[..2], &report[6..10], &report[16..24]),
        (&[0x46, 0xc0][..], &[0x40, 0, 1, 2][..], &[224, 0, 0, 22, 0x94, 4, 0, 0][..])
    );
    assert_eq!((report[24], &report[28..]), (0x22, &[0, 0, 0, 1, 4, 0, 0, 0, 239, 1, 2, 3][..]));
    assert_eq!((packets::checksum::of(&report[..24]), packets::checksum::of(&report[24..])), (0, 0));
    assert!(host.stack.ip.leave(host.now, LINK, ip("239.1.2.3")));
    host.pass(SECOND * 5);
    assert!(told(&mut host).is_empty(), "somebody is still in it");
    assert!(
        host.stack.ip.leave(host.now, LINK, ip("239.1.2.3")) && !host.stack.ip.leave(host.now, LINK, ip("239.1.2.3"))
    );
    host.pass(SECOND * 5);
    let reports = told(&mut host);
    assert_eq!((reports.len(), &reports[1][32..]), (2, &[3, 0, 0, 0, 239, 1, 2, 3][..]));
}

#[test]
fn listeners_of_ipv6_are_told_from_the_link() {
    let mut host = host();
    host.stack.ip.join(host.now, LINK, ip("ff0e::5")).unwrap();
    let report = &told(&mut host)[0];
    assert_eq!((report[6], report[7], report[9]), (0, 1, 0x80));
    assert_eq!(&report[40..48], &[58, 0, 5, 2, 0, 0, 1, 0]);
    assert_eq!((report[48], &report[52..60]), (143, &[0, 0, 0, 1, 4, 0, 0, 0][..]));
    let sum = packets::checksum::Sum::new().with_pseudo_header(ip("fe80::1"), ip("ff02::16"), 58, report.len() - 48);
    assert!(sum.with(&report[48..]).is_right());
}

fn igmp(to: &str, message: &[u8]) -> Vec<u8> {
    let mut message = message.to_vec();
    let sum = packets::checksum::of(&message).to_be_bytes();
    message[2..4].copy_from_slice(&sum);
    let mut frame = v4_with(2, "10.0.0.9", to, 2, &message, |header| header.time_to_live = 1);
    frame[..6].copy_from_slice(&crate::address::of_group(ip(to)).0);
    frame
}

#[test]
fn queries_are_answered_in_time() {
    let mut host = host();
    host.stack.ip.join(host.now, LINK, ip("239.1.2.3")).unwrap();
    host.settle();
    // For all groups, within ten seconds, three times: one answer.
    for _ in 0..3 {
        host.give(&igmp("224.0.0.1", &[0x11, 100, 0, 0, 0, 0, 0, 0, 2, 125, 0, 0]));
    }
    host.pass(Duration::from_secs(10));
    let reports = told(&mut host);
    assert_eq!((reports.len(), &reports[0][32..]), (1, &[2, 0, 0, 0, 239, 1, 2, 3][..]));
    host.give(&igmp("239.1.2.3", &[0x11, 10, 0, 0, 239, 1, 2, 3, 2, 125, 0, 0]));
    host.pass(SECOND);
    assert_eq!(told(&mut host).len(), 1);
    host.give(&igmp("224.0.0.1", &[0x11, 10, 0, 0, 239, 9, 9, 9, 2, 125, 0, 0]));
    let mut wrong = igmp("224.0.0.1", &[0x11, 10, 0, 0, 0, 0, 0, 0, 2, 125, 0, 0]);
    wrong[36] ^= 1;
    host.give(&wrong);
    host.pass(SECOND * 20);
    assert!(told(&mut host).is_empty());
    let query = [&[0, 100, 0, 0][..], &[0; 16], &[2, 125, 0, 0]].concat();
    let body = icmp(Some(("fe80::9", "ff02::1")), 130, 0, u32::from_be_bytes([0, 100, 0, 0]), &query[4..]);
    host.give(&v6(2, "fe80::9", "ff02::1", 58, 1, &body));
    host.pass(SECOND);
    let reports = told(&mut host);
    assert_eq!((reports.len(), reports[0][48], reports[0][56]), (1, 143, 2));
}

#[test]
fn an_older_querier_is_answered_its_way() {
    let mut host = host();
    host.stack.ip.join(host.now, LINK, ip("239.1.2.3")).unwrap();
    host.settle();
    host.give(&igmp("224.0.0.1", &[0x11, 100, 0, 0, 0, 0, 0, 0]));
    host.pass(SECOND * 10);
    let reports = told(&mut host);
    assert_eq!(
        (&reports[0][16..20], reports[0][24], &reports[0][28..]),
        (&[239, 1, 2, 3][..], 0x16, &[239, 1, 2, 3][..])
    );
    host.stack.ip.leave(host.now, LINK, ip("239.1.2.3"));
    assert_eq!((told(&mut host)[0][24], host.stack.ip.groups().count()), (0x17, 1));
    host.pass(SECOND * 300);
    host.stack.ip.join(host.now, LINK, ip("239.1.2.3")).unwrap();
    assert_eq!(told(&mut host).last().unwrap()[24], 0x22, "it is gone");
}
