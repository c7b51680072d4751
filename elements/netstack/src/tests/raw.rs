//! Raw and ping sockets.

use std::vec;

use super::world::*;
use crate::{Error, Failure, raw::Sending};

fn towards(to: &str) -> Sending {
    Sending { to: Some(ip(to)), ..Sending::default() }
}

#[test]
fn two_hosts_ping_each_other() {
    for (v4, b, kind) in [(true, "10.0.0.2", 8), (false, "2001:db8::2", 128)] {
        let mut one = Host::new(1, &["10.0.0.1/24", "2001:db8::1/64"]);
        let mut other = Host::new(2, &["10.0.0.2/24", "2001:db8::2/64"]);
        let (ping, deaf) = (one.stack.raw.open_ping(v4).unwrap(), one.stack.raw.open_ping(v4).unwrap());
        let message = [kind, 0, 9, 9, 9, 9, 0, 5, b'h', b'i', b'!'];
        let to = Sending { to: Some(ip(b)), ..Default::default() };
        assert_eq!(one.stack.raw.send(one.now, &mut one.stack.ip, ping, &message, &to), Ok(11));
        run(&mut one, &mut other, SECOND);
        let answer = one.stack.raw.receive(ping).unwrap().payload.concat();
        assert_eq!((answer[0], &answer[6..]), (if v4 { 0 } else { 129 }, &[0, 5, b'h', b'i', b'!'][..]));
        assert_eq!(one.stack.raw.receive(deaf).unwrap_err(), Error::WouldBlock);
        let mut events = vec![];
        one.stack.raw.take_events(&mut events);
        assert_eq!(events, [ping]);
        let wrong = [3, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(one.stack.raw.send(one.now, &mut one.stack.ip, ping, &wrong, &to), Err(Error::Invalid));
        assert_eq!(
            one.stack.raw.send(one.now, &mut one.stack.ip, ping, &message, &Sending::default()),
            Err(Error::NoDestination)
        );
        // Long ones go in fragments, both ways.
        let long = [&message[..], &[7; 4000]].concat();
        one.stack.raw.send(one.now, &mut one.stack.ip, ping, &long, &to).unwrap();
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
    host.stack.raw.connect(two, Some("10.0.0.3:0".parse().unwrap())).unwrap();
    assert!(host.ask(&frame).is_empty());
    assert_eq!(host.stack.raw.receive(one).unwrap().payload.concat(), b"hello");
    assert!(host.stack.raw.receive(two).is_err(), "connected to somebody else");
    host.stack.raw.send(host.now, &mut host.stack.ip, one, b"world", &towards("10.0.0.2")).unwrap();
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
    host.stack.raw.send(host.now, &mut host.stack.ip, ping, &[8, 0, 0, 0, 0, 0, 0, 1], &towards("10.0.0.2")).unwrap();
    host.pass(SECOND * 4);
    assert_eq!(host.stack.raw.receive(ping).unwrap_err(), Error::Told(Failure::Host));
}

#[test]
fn who_wants_errors_gets_what_failed() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    let ping = host.stack.raw.open_ping(true).unwrap();
    host.stack.raw.settings_mut(ping).unwrap().errors = true;
    let message = [8, 0, 0, 0, 0, 0, 0, 1, b'x'];
    host.stack.raw.send(host.now, &mut host.stack.ip, ping, &message, &towards("10.0.0.2")).unwrap();
    assert_eq!(host.stack.raw.waiting(ping), Ok((0, false)));
    host.pass(SECOND * 4);
    assert_eq!(host.stack.raw.waiting(ping), Ok((0, true)));
    let complaint = host.stack.raw.take_complaint(ping).unwrap();
    assert_eq!((complaint.failure, complaint.by, complaint.to.ip()), (Failure::Host, None, ip("10.0.0.2")));
    assert_eq!(complaint.payload[8..], *b"x");
    assert_eq!(host.stack.raw.take_complaint(ping).unwrap_err(), Error::WouldBlock);
}

#[test]
fn a_raw_socket_takes_what_it_is_bound_to_and_not_what_it_refuses() {
    let mut host = Host::new(1, &["10.0.0.1/24", "10.0.1.1/24"]);
    let open = |host: &mut Host| host.stack.raw.open(true, 1).unwrap();
    let [all, bound, deaf] = core::array::from_fn(|_| open(&mut host));
    let bind = |host: &mut Host, to: &str| host.stack.raw.bind(&host.stack.ip, bound, to.parse().unwrap());
    assert_eq!(bind(&mut host, "10.0.0.9:0"), Err(Error::NotAvailable));
    assert_eq!(bind(&mut host, "[::1]:0"), Err(Error::Family));
    assert_eq!(bind(&mut host, "10.0.1.1:0"), Ok(()));
    host.stack.raw.settings_mut(deaf).unwrap().refused[0] = 1 << 8;
    let message = [8, 0, 0xf7, 0xfd, 0, 1, 0, 1];
    host.give(&v4(2, "10.0.0.2", "10.0.0.1", 1, &message));
    assert_eq!(host.stack.raw.receive(all).unwrap().payload.concat(), message);
    assert_eq!(host.stack.raw.receive(bound).unwrap_err(), Error::WouldBlock);
    assert_eq!(host.stack.raw.receive(deaf).unwrap_err(), Error::WouldBlock);
}

#[test]
fn a_ping_socket_has_the_identifier_that_it_is_bound_to() {
    let mut host = Host::new(1, &["10.0.0.1/24"]);
    let (one, two) = (host.stack.raw.open_ping(true).unwrap(), host.stack.raw.open_ping(true).unwrap());
    let address = "0.0.0.0:77".parse().unwrap();
    host.stack.raw.bind(&host.stack.ip, one, address).unwrap();
    assert_eq!(host.stack.raw.local(one), Ok(address));
    assert_eq!(host.stack.raw.bind(&host.stack.ip, two, address), Err(Error::InUse));
    host.stack.raw.close(one).unwrap();
    assert_eq!(host.stack.raw.bind(&host.stack.ip, two, address), Ok(()));
}
