//! Datagrams within one machine: they need no packets, and nobody can tell.

use std::{format, vec, vec::Vec};

use packets::{Instant, Packet, ipv4::protocol};

use super::{udp::*, world::*};
use crate::{
    Error, Handle,
    parts::Everything,
    udp::{Datagram, Sending},
};

/// A machine with a loopback interface, and its number.
fn alone() -> (Host, u32) {
    let (mut host, _) = pair();
    let loopback = host.add_loopback();
    (host, loopback)
}

/// Has packets come back to the machine that has sent them, once; how many.
fn turn(host: &mut Host<Everything>, loopback: u32) -> usize {
    let mut packets: Vec<Packet> = host.stack.outgoing(loopback).unwrap().drain(..).collect();
    let count = packets.len();
    host.stack.receive(host.now, loopback, &mut packets);
    count
}

/// What a datagram says, but for when it came.
fn told(host: &mut Host, handle: Handle) -> Result<Datagram, Error> {
    host.stack.udp.receive(handle).map(|datagram| Datagram { at: Instant::default(), ..datagram })
}

#[test]
fn datagrams_within_a_machine_go_without_packets() {
    for own in ["127.0.0.1", "[::1]", "10.0.0.1", "[2001:db8::1]"] {
        let (mut host, loopback) = alone();
        let (from, to) = (host.socket(&format!("{own}:1000")), host.socket(&format!("{own}:2000")));
        let before = *host.stack.ip.statistics(!own.starts_with('['));
        // The first one finds the way.
        let mut first = None;
        for round in 0..5 {
            let sending =
                Sending { to: Some(at(&format!("{own}:2000"))), traffic_class: Some(8), ..Sending::default() };
            let text = format!("message {round}");
            let sent = host.stack.udp.send(host.now, &mut host.stack.ip, from, parts(text.as_bytes()), &sending);
            assert_eq!(sent, Ok(9));
            assert_eq!(turn(&mut host, loopback), usize::from(round == 0), "{own}, {round}");
            let mut events = vec![];
            host.stack.udp.take_events(&mut events);
            assert_eq!(events, [to]);
            let mut datagram = told(&mut host, to).unwrap();
            assert_eq!(core::mem::take(&mut datagram.payload).to_vec(), text.as_bytes());
            let text = format!("{datagram:?}");
            assert_eq!(*first.get_or_insert(text.clone()), text, "as by packets");
        }
        let counts = *host.stack.udp.statistics();
        assert_eq!((counts.sent, counts.received), (5, 5));
        let after = *host.stack.ip.statistics(!own.starts_with('['));
        let [sent, delivered] = [after.sent - before.sent, after.delivered - before.delivered];
        assert_eq!((sent, delivered), (5, 5));
    }
}

#[test]
fn what_needs_packets_gets_them() {
    let (mut host, loopback) = alone();
    let (from, to) = (host.socket("127.0.0.1:1000"), host.socket("127.0.0.1:2000"));
    host.say(from, "127.0.0.1:2000", b"finds the way").unwrap();
    assert_eq!(turn(&mut host, loopback), 1);
    // Somebody sees all of them.
    host.stack.udp.set_watched(true);
    host.say(from, "127.0.0.1:2000", b"seen").unwrap();
    host.stack.udp.set_watched(false);
    // One is under way, and none overtakes it.
    host.say(from, "127.0.0.1:2000", b"behind").unwrap();
    assert_eq!(turn(&mut host, loopback), 2);
    let texts: Vec<Vec<u8>> = (0..3).map(|_| host.hear(to).unwrap().1).collect();
    assert_eq!(texts, [&b"finds the way"[..], b"seen", b"behind"]);
    // Nobody is there: ICMP says so.
    host.say(from, "127.0.0.1:3000", b"to nobody").unwrap();
    assert!(turn(&mut host, loopback) > 0);
    turn(&mut host, loopback);
    let error = host.hear(from);
    assert!(matches!(error, Err(Error::WouldBlock | Error::Told(_))), "{error:?}");
    let raw = host.stack.raw.open(true, protocol::UDP).unwrap();
    assert!(host.stack.raw.takes(protocol::UDP) && !host.stack.raw.takes(protocol::TCP));
    host.stack.raw.close(raw).unwrap();
    assert!(!host.stack.raw.takes(protocol::UDP));
}

#[test]
fn a_full_queue_loses_what_comes_then() {
    let (mut host, loopback) = alone();
    let (from, to) = (host.socket("127.0.0.1:1000"), host.socket("127.0.0.1:2000"));
    for _ in 0..1000 {
        assert_eq!(host.say(from, "127.0.0.1:2000", &[7; 1000]), Ok(1000));
        turn(&mut host, loopback);
    }
    let heard = core::iter::from_fn(|| host.hear(to).ok()).count();
    assert_eq!(heard as u64 + host.stack.udp.statistics().queue_overflows, 1000);
    assert!(heard < 300, "{heard}");
}
