//! UDP-Lite: ports of its own, and checksums that cover less than all.

use core::net::SocketAddr;
use std::{vec, vec::Vec};

use packets::{Packet, ipv4, ipv6, udp};

use super::{
    udp::{at, pair},
    world::*,
};
use crate::{
    Error, Failure, Handle,
    udp::{Family, Sending},
};

impl Host {
    fn lite(&mut self, address: &str) -> Handle {
        let family = if at(address).is_ipv4() { Family::V4 } else { Family::V6 };
        let handle = self.stack.udp.open_lite(family).unwrap();
        self.stack.udp.bind(&self.stack.ip, handle, at(address)).unwrap();
        handle
    }

    fn cover(&mut self, handle: Handle, coverage: u16) {
        self.stack.udp.settings_mut(handle).unwrap().coverage = coverage;
    }

    fn want(&mut self, handle: Handle, least: u16) {
        self.stack.udp.settings_mut(handle).unwrap().least_coverage = Some(least);
    }
}

const ENDS: [(&str, &str, usize); 2] =
    [("10.0.0.1:9", "10.0.0.2:9", ipv4::HEADER), ("[2001:db8::1]:9", "[2001:db8::2]:9", ipv6::HEADER)];

/// Two hosts that know each other's hardware addresses, and their sockets.
fn acquainted(a: &str, b: &str) -> (Host, Host, Handle, Handle) {
    let (mut one, mut other) = pair();
    let (sends, takes) = (one.lite(a), other.lite(b));
    one.say(sends, b, b"who").unwrap();
    run(&mut one, &mut other, SECOND);
    assert_eq!(other.hear(takes), Ok((at(a), b"who".to_vec())));
    (one, other, sends, takes)
}

/// The only frame that waits, as bytes behind the header of Ethernet.
fn frame(host: &mut Host) -> &mut Packet {
    let frames = host.stack.outgoing(LINK).unwrap();
    assert_eq!(frames.len(), 1);
    &mut frames[0]
}

/// Changes a byte of the only frame that waits.
fn damage(host: &mut Host, at: usize) {
    let packet = frame(host);
    let mut bytes = packet.to_vec();
    bytes[at] ^= 0x55;
    *packet = Packet::received(bytes.into(), packet.offload);
}

#[test]
fn datagrams_go_both_ways_and_in_fragments() {
    for (a, b, _) in ENDS {
        let (mut one, mut other, sends, takes) = acquainted(a, b);
        for length in [0, 1, 1000, 65_507] {
            let payload: Vec<u8> = (0..length).map(|byte: u32| ((byte * 7) >> 3) as u8).collect();
            for coverage in [0, 8, 20, u16::MAX] {
                one.cover(sends, coverage);
                assert_eq!(one.say(sends, b, &payload), Ok(payload.len()));
                run(&mut one, &mut other, SECOND);
                assert_eq!(other.hear(takes), Ok((at(a), payload.clone())), "{length} bytes, {coverage} covered");
            }
        }
        assert!(matches!(one.say(sends, b, &[0; 65_508]), Err(Error::TooBig(_))));
        other.say(takes, a, b"answer").unwrap();
        run(&mut one, &mut other, SECOND);
        assert_eq!(one.hear(sends), Ok((at(b), b"answer".to_vec())));
    }
}

#[test]
fn its_ports_are_others_than_udps() {
    let (mut one, mut other, sends, takes) = acquainted(ENDS[0].0, ENDS[0].1);
    let of_udp = other.socket(ENDS[0].1);
    one.say(sends, ENDS[0].1, b"lite").unwrap();
    let plain = one.socket(ENDS[0].0);
    one.say(plain, ENDS[0].1, b"plain").unwrap();
    run(&mut one, &mut other, SECOND);
    assert_eq!(other.hear(takes).unwrap().1, b"lite");
    assert_eq!(other.hear(of_udp).unwrap().1, b"plain");
    assert_eq!((other.hear(takes), other.hear(of_udp)), (Err(Error::WouldBlock), Err(Error::WouldBlock)));
    let again = other.stack.udp.open_lite(Family::V4).unwrap();
    assert_eq!(other.stack.udp.bind(&other.stack.ip, again, at(ENDS[0].1)), Err(Error::InUse));
    assert_eq!((other.stack.udp.list(true).count(), other.stack.udp.list(false).count()), (2, 1));
}

/// RFC 3828, 1: what is not covered may be damaged, and comes nevertheless.
#[test]
fn damage_is_found_where_it_is_covered() {
    for (a, b, header) in ENDS {
        let (mut one, mut other, sends, takes) = acquainted(a, b);
        let payload = header + 14 + udp::HEADER;
        for (coverage, byte, comes) in [(0, 50, false), (8, 50, true), (20, 11, false), (20, 12, true)] {
            one.cover(sends, coverage);
            one.say(sends, b, &[7; 51]).unwrap();
            damage(&mut one, payload + byte);
            let before = other.stack.udp.lite_statistics().bad_checksums;
            run(&mut one, &mut other, SECOND);
            let mut damaged = vec![7; 51];
            damaged[byte] ^= 0x55;
            let expected = if comes { Ok((at(a), damaged)) } else { Err(Error::WouldBlock) };
            assert_eq!(other.hear(takes), expected, "{coverage} covered, byte {byte}");
            assert_eq!(other.stack.udp.lite_statistics().bad_checksums - before, u64::from(!comes));
        }
    }
}

#[test]
fn a_receiver_may_want_more_covered() {
    let (a, b, _) = ENDS[0];
    let (mut one, mut other, sends, takes) = acquainted(a, b);
    // What is sent with that coverage comes where so much is wanted; all is always enough.
    for (coverage, least, comes) in
        [(20, 20, true), (19, 20, false), (0, 20, true), (8, 0, false), (0, 0, true), (58, 0, true), (57, 0, false)]
    {
        one.cover(sends, coverage);
        other.want(takes, least);
        one.say(sends, b, &[7; 50]).unwrap();
        run(&mut one, &mut other, SECOND);
        assert_eq!(other.hear(takes).is_ok(), comes, "{coverage} covered, {least} wanted");
    }
}

#[test]
fn what_cannot_be_is_dropped() {
    let (a, b, header) = ENDS[0];
    let (mut one, mut other, sends, takes) = acquainted(a, b);
    let transport = header + 14;
    // No checksum; a coverage that the header is not in; one of more than there is.
    for (at, value) in [(6, [0, 0]), (4, [0, 7]), (4, [0, 59])] {
        one.say(sends, b, &[7; 50]).unwrap();
        let packet = frame(&mut one);
        let mut bytes = packet.to_vec();
        bytes[transport + at..transport + at + 2].copy_from_slice(&value);
        *packet = Packet::received(bytes.into(), packet.offload);
        let before = other.stack.udp.lite_statistics().receive_errors;
        run(&mut one, &mut other, SECOND);
        assert_eq!(other.hear(takes), Err(Error::WouldBlock));
        assert_eq!(other.stack.udp.lite_statistics().receive_errors, before + 1);
    }
}

#[test]
fn nobody_at_the_port_is_told() {
    for (a, b, _) in ENDS {
        let (mut one, mut other, sends, takes) = acquainted(a, b);
        other.stack.udp.close(other.now, &mut other.stack.ip, takes).unwrap();
        // A socket of UDP at the same port is nobody.
        other.socket(b);
        one.stack.udp.connect(one.now, &mut one.stack.ip, sends, at(b)).unwrap();
        let say = Sending::default();
        one.stack.udp.send(one.now, &mut one.stack.ip, sends, super::udp::parts(b"x"), &say).unwrap();
        run(&mut one, &mut other, SECOND);
        assert_eq!(one.stack.udp.take_error(sends), Ok(Some(Failure::Port)));
        let local: SocketAddr = one.stack.udp.local(sends).unwrap();
        assert_eq!(local, at(a));
    }
}
