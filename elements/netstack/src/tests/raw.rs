//! Raw and ping sockets.

use std::vec;

use super::world::*;
use crate::{Error, Failure};

#[test]
fn two_hosts_ping_each_other() {
    for (v4, b, kind) in [(true, "10.0.0.2", 8), (false, "2001:db8::2", 128)] {
        let mut one = Host::new(1, &["10.0.0.1/24", "2001:db8::1/64"]);
        let mut other = Host::new(2, &["10.0.0.2/24", "2001:db8::2/64"]);
        let (ping, deaf) = (one.stack.raw.open_ping(v4).unwrap(), one.stack.raw.open_ping(v4).unwrap());
        let message = [kind, 0, 9, 9, 9, 9, 0, 5, b'h', b'i', b'!'];
        let to = Some(ip(b));
        assert_eq!(one.stack.raw.send(one.now, &mut one.stack.ip, ping, &message, to), Ok(11));
        run(&mut one, &mut other, SECOND);
        let answer = one.stack.raw.receive(ping).unwrap().payload.concat();
        assert_eq!((answer[0], &answer[6..]), (if v4 { 0 } else { 129 }, &[0, 5, b'h', b'i', b'!'][..]));
        assert_eq!(one.stack.raw.receive(deaf).unwrap_err(), Error::WouldBlock);
        let mut events = vec![];
        one.stack.raw.take_events(&mut events);
        assert_eq!(events, [ping]);
        let wrong = [3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(one.stack.raw.send(one.now, &mut one.stack.ip, ping, &wrong, to), Err(Error::Invalid));
        assert_eq!(one.stack.raw.send(one.now, &mut one.stack.ip, ping, &message, None), Err(Error::NoDestination));
        // Long ones go in fragments, both ways.
        let long = [&message[..], &[7; 4000]].concat();
        one.stack.raw.send(one.now, &mut one.stack.ip, ping, &long, to).unwrap();
        run(&mut one, &mut other, SECOND);
        assert_eq!(one.stack.raw.receive(ping).unwrap().payload.concat()[8..], long[8..]);
    }
}

#[test]
fn raw_sockets_get_copies_and_speak_a_protocol() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    host.knows(2, ip("10.0.0.2"));
    let frame = v4(2, "10.0.0.2", "10.0.0.1", 99, b"hello");
    assert_eq!(host.ask(&frame).len(), 1, "nobody speaks it");
    let (one, two) = (host.stack.raw.open(true, 99).unwrap(), host.stack.raw.open(true, 99).unwrap());
    host.stack.raw.connect(two, Some(ip("10.0.0.3"))).unwrap();
    assert!(host.ask(&frame).is_empty());
    assert_eq!(host.stack.raw.receive(one).unwrap().payload.concat(), b"hello");
    assert!(host.stack.raw.receive(two).is_err(), "connected to somebody else");
    host.stack.raw.send(host.now, &mut host.stack.ip, one, b"world", Some(ip("10.0.0.2"))).unwrap();
    let sent = host.sent();
    assert_eq!((sent[0][23], &sent[0][34..]), (99, &b"world"[..]));
    for _ in 0..2000 {
        host.give(&frame);
    }
    assert_eq!(host.stack.raw.lost(one), Ok(2000 - 212_992 / 261));
    host.stack.raw.close(one).unwrap();
    assert_eq!(host.stack.raw.close(one), Err(Error::Stale));
}

#[test]
fn an_echo_that_does_not_arrive_is_told() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    let ping = host.stack.raw.open_ping(true).unwrap();
    host.stack.raw.send(host.now, &mut host.stack.ip, ping, &[8, 0, 0, 0, 0, 0, 0, 1], Some(ip("10.0.0.2"))).unwrap();
    host.pass(SECOND * 4);
    assert_eq!(host.stack.raw.receive(ping).unwrap_err(), Error::Told(Failure::Host));
}
