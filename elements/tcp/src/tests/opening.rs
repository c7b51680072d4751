//! Opening: handshakes, refusals, repeated SYNs, ports, listeners.

use alloc::vec::Vec;
use core::{net::SocketAddr, time::Duration};

use packets::tcp::{Flags, Options, Timestamps};

use super::world::*;
use crate::{Error, Family, Readiness, State};

fn state(world: &World, side: usize, handle: crate::Handle) -> State {
    world.sides[side].tcp.info(handle).unwrap().state
}

#[test]
fn a_handshake_has_three_segments_and_all_options() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let flags: Vec<_> = world.log.iter().map(|seen| (seen.from, seen.flags())).collect();
    assert_eq!(flags, [(0, Flags::SYN), (1, Flags::SYN | Flags::ACK), (0, Flags::ACK)]);
    for syn in &world.log[..2] {
        let Options { segment_size, window_scale, sack_permitted, timestamps, .. } = syn.options;
        assert_eq!((segment_size, window_scale, sack_permitted), (Some(1460), Some(7), true));
        assert!(timestamps.is_some());
    }
    assert_eq!(state(&world, 0, client), State::Established);
    assert_eq!(state(&world, 1, server), State::Established);
    let info = world.sides[0].tcp.info(client).unwrap();
    assert_eq!((info.send_segment, info.congestion_window, info.window_shifts), (1448, 10, Some((7, 7))));
    assert_eq!(info.round_trip, millis(10));
    assert_eq!(info.retransmission_timeout, millis(210), "SRTT and 200 ms");
    assert_eq!(world.events(0), [client], "told once");
    assert_eq!(world.ready(0, client), Readiness::WRITABLE);
}

#[test]
fn nobody_listens_is_told_at_once() {
    let mut world = World::new();
    let client = world.connect();
    world.run(millis(20));
    assert!(world.log[1].has(Flags::RST | Flags::ACK));
    assert_eq!(world.log[1].header.acknowledgment(), world.log[0].header.sequence() + 1);
    let ready = world.ready(0, client);
    assert!(ready.contains(Readiness::ERROR | Readiness::WRITABLE | Readiness::HANGUP));
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::Refused));
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), None);
}

#[test]
fn a_syn_is_repeated_at_growing_intervals() {
    let mut world = World::new();
    world.drop = |_, _| true;
    let client = world.connect();
    world.run(Duration::from_secs(200));
    let at: Vec<u64> = world.log.iter().map(|seen| seen.at.as_millis() / 1000 - 1).collect();
    assert_eq!(at, [0, 1, 3, 7, 15, 31, 63], "RFC 6298: one second, twice as long each time");
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::TimedOut));
}

#[test]
fn the_answer_to_a_syn_is_repeated_without_a_socket() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.drop = |_, _| true;
    world.forge(1, &Forged::syn(999, 5));
    assert_eq!(world.sides[1].tcp.counts().half_open, 1);
    world.run(Duration::from_secs(100));
    let answers = world.seen(0, 1);
    assert_eq!(answers.len(), 6);
    assert!(answers.iter().all(|seen| seen.has(Flags::SYN | Flags::ACK)));
    assert!(answers.iter().all(|seen| seen.header.sequence() == answers[0].header.sequence()));
    assert_eq!(world.sides[1].tcp.counts().half_open, 0);
    assert_eq!(world.sides[1].tcp.accept(listener).unwrap_err(), Error::WouldBlock);
}

#[test]
fn both_may_open_at_once() {
    let mut world = World::new();
    let mut handles = Vec::new();
    for side in 0..2 {
        let to = SocketAddr::new(ADDRESSES[1 - side].into(), 1000 + (1 - side as u16));
        let own = SocketAddr::new(ADDRESSES[side].into(), 1000 + side as u16);
        let Side { tcp, wire } = &mut world.sides[side];
        let handle = tcp.open(Family::V4).unwrap();
        tcp.bind(wire, handle, own).unwrap();
        tcp.connect(world.now, wire, handle, to).unwrap();
        handles.push(handle);
    }
    world.flush();
    world.run(millis(50));
    assert_eq!(state(&world, 0, handles[0]), State::Established, "RFC 9293, figure 7");
    assert_eq!(state(&world, 1, handles[1]), State::Established);
    world.write(0, handles[0], b"hello").unwrap();
    world.run(millis(20));
    assert_eq!(world.read(1, handles[1]).unwrap(), b"hello");
}

#[test]
fn a_full_backlog_drops_and_the_client_waits() {
    let mut world = World::new();
    let listener = world.listen(1);
    let clients: Vec<_> = (0..4).map(|_| world.connect()).collect();
    world.run(millis(100));
    let waiting = world.sides[1].tcp.info(listener).unwrap().readable;
    assert_eq!(waiting, 2, "one more than the backlog, as Linux");
    assert!(world.sides[1].tcp.statistics().accept_overflows > 0);
    for _ in 0..2 {
        world.sides[1].tcp.accept(listener).unwrap();
    }
    world.run(Duration::from_secs(10));
    assert_eq!(world.sides[1].tcp.info(listener).unwrap().readable, 2, "the others come when there is room");
    assert!(clients.iter().all(|client| state(&world, 0, *client) == State::Established));
}

#[test]
fn data_with_the_last_acknowledgment_arrives() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.drop = |seen, _| seen.from == 0 && seen.payload.is_empty() && seen.has(Flags::ACK);
    let client = world.connect();
    world.run(millis(11));
    world.write(0, client, b"first").unwrap();
    world.run(millis(10));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    assert_eq!(world.read(1, server).unwrap(), b"first");
}

#[test]
fn a_listener_that_defers_waits_for_data() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.set(1, listener, |settings| settings.defer_accept = true);
    let client = world.connect();
    world.run(millis(50));
    assert_eq!(world.sides[1].tcp.accept(listener).unwrap_err(), Error::WouldBlock);
    world.write(0, client, b"now").unwrap();
    world.run(millis(50));
    assert!(world.sides[1].tcp.accept(listener).is_ok());
}

#[test]
fn ports_are_bound_as_linux_does() {
    let mut world = World::new();
    let Side { tcp, wire } = &mut world.sides[0];
    let own = SocketAddr::new(ADDRESSES[0].into(), 80);
    let any = SocketAddr::new([0, 0, 0, 0].into(), 80);
    let open = |tcp: &mut crate::Tcp, family, reuse_address, reuse_port, wire: &mut Wire, now| {
        let handle = tcp.open(family).unwrap();
        tcp.change_settings(now, wire, handle, |settings| {
            (settings.reuse_address, settings.reuse_port) = (reuse_address, reuse_port);
        })
        .unwrap();
        handle
    };
    let first = open(tcp, Family::V4, true, false, wire, world.now);
    tcp.bind(wire, first, own).unwrap();
    assert_eq!(tcp.bind(wire, first, own), Err(Error::Invalid), "bound already");
    let strict = open(tcp, Family::V4, false, false, wire, world.now);
    assert_eq!(tcp.bind(wire, strict, own), Err(Error::InUse));
    assert_eq!(tcp.bind(wire, strict, any), Err(Error::InUse));
    let second = open(tcp, Family::V4, true, false, wire, world.now);
    tcp.bind(wire, second, any).unwrap();
    tcp.listen(first, 1).unwrap();
    assert_eq!(tcp.listen(second, 1), Err(Error::InUse), "one of them may listen");
    tcp.close(world.now, wire, second).unwrap();
    let six = open(tcp, Family::V6, true, false, wire, world.now);
    assert_eq!(tcp.bind(wire, six, "[::]:80".parse().unwrap()), Err(Error::InUse), "it would take IPv4 too");
    tcp.change_settings(world.now, wire, six, |settings| settings.only_v6 = true).unwrap();
    tcp.bind(wire, six, "[::]:80".parse().unwrap()).unwrap();
    let foreign = tcp.open(Family::V4).unwrap();
    assert_eq!(tcp.bind(wire, foreign, "192.0.2.1:80".parse().unwrap()), Err(Error::NotAvailable));
    for number in 0..3 {
        let shared = open(tcp, Family::V4, false, true, wire, world.now);
        tcp.bind(wire, shared, SocketAddr::new(ADDRESSES[0].into(), 81)).unwrap();
        assert!(tcp.listen(shared, 1).is_ok(), "listener {number} of those that share");
    }
    let free = tcp.open(Family::V4).unwrap();
    tcp.bind(wire, free, SocketAddr::new(ADDRESSES[0].into(), 0)).unwrap();
    assert!(tcp.local(free).unwrap().port() >= 32_768);
}

#[test]
fn a_port_with_connections_is_bound_again_only_if_they_allow_it() {
    for reuse in [false, true] {
        let mut world = World::new();
        let listener = world.listen(8);
        world.set(1, listener, |settings| settings.reuse_address = reuse);
        world.connect();
        world.run(millis(50));
        let (server, _) = world.sides[1].tcp.accept(listener).unwrap();
        world.close(1, listener);
        let again = world.sides[1].tcp.open(Family::V4).unwrap();
        world.set(1, again, |settings| settings.reuse_address = true);
        let Side { tcp, wire } = &mut world.sides[1];
        let bound = tcp.bind(wire, again, SocketAddr::new(ADDRESSES[1].into(), PORT));
        assert_eq!(bound, if reuse { Ok(()) } else { Err(Error::InUse) });
        assert_eq!(tcp.info(server).unwrap().state, State::Established);
    }
}

#[test]
fn a_listener_takes_those_that_wait_along() {
    let mut world = World::new();
    let listener = world.listen(8);
    let client = world.connect();
    world.run(millis(50));
    world.close(1, listener);
    world.run(millis(50));
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::Reset));
    world.check_empty([1, 0]);
}

#[test]
fn handles_of_closed_sockets_are_nobodys() {
    let mut world = World::new();
    let old = world.sides[0].tcp.open(Family::V4).unwrap();
    world.close(0, old);
    let new = world.sides[0].tcp.open(Family::V4).unwrap();
    assert_eq!(old.index(), new.index());
    let Side { tcp, wire } = &mut world.sides[0];
    assert_eq!(tcp.readiness(old).unwrap_err(), Error::Stale);
    assert_eq!(tcp.close(world.now, wire, old), Err(Error::Stale));
    assert_eq!(tcp.read(world.now, wire, old, &mut [0]), Err(Error::Stale));
    assert_eq!(tcp.read(world.now, wire, new, &mut [0]), Err(Error::NotConnected));
}

#[test]
fn an_other_side_without_options_is_served() {
    let mut world = World::new();
    let listener = world.listen(8);
    let mut syn = Forged::syn(999, 77);
    syn.options = Options::default();
    world.forge(1, &syn);
    let answer = world.seen(0, 1).pop().unwrap();
    assert_eq!(answer.options, Options { segment_size: Some(1460), ..Options::default() });
    let mut ack = Forged { flags: Flags::ACK, sequence: syn.sequence + 1, ..syn };
    ack.acknowledgment = answer.header.sequence() + 1;
    world.forge(1, &ack);
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    let info = world.sides[1].tcp.info(server).unwrap();
    assert_eq!((info.send_segment, info.timestamps, info.selective, info.window_shifts), (536, false, false, None));
    assert_eq!(info.send_window, 65_535, "not scaled");
}

#[test]
fn a_listener_of_ipv6_takes_ipv4_too() {
    let mut world = World::new();
    let Side { tcp, wire } = &mut world.sides[1];
    let listener = tcp.open(Family::V6).unwrap();
    tcp.bind(wire, listener, SocketAddr::new([0_u16; 8].into(), PORT)).unwrap();
    tcp.listen(listener, 8).unwrap();
    let client = world.connect();
    world.run(millis(50));
    assert_eq!(state(&world, 0, client), State::Established);
    assert_eq!(world.sides[1].tcp.accept(listener).unwrap().1.ip(), ADDRESSES[0]);
}

#[test]
fn congestion_notification_is_agreed_on() {
    let mut world = World::new();
    let listener = world.listen(8);
    let side = &mut world.sides[0];
    let client = side.tcp.open(Family::V4).unwrap();
    world.set(0, client, |settings| settings.congestion_notification = true);
    let Side { tcp, wire } = &mut world.sides[0];
    tcp.connect(world.now, wire, client, SocketAddr::new(ADDRESSES[1].into(), PORT)).unwrap();
    world.run(millis(50));
    assert_eq!(world.log[0].flags(), Flags::SYN | Flags::ECE | Flags::CWR);
    assert_eq!(world.log[1].flags(), Flags::SYN | Flags::ACK | Flags::ECE);
    world.sides[1].tcp.accept(listener).unwrap();
    world.faults.marks = 1000;
    world.write(0, client, &stream(0, 2000)).unwrap();
    assert_eq!(world.log.last().unwrap().class, 2, "ECT(0)");
    world.run(millis(20));
    assert!(world.seen(0, 1).last().unwrap().has(Flags::ECE), "it is echoed");
    let info = world.sides[0].tcp.info(client).unwrap();
    assert_eq!((info.slow_start_threshold, info.phase), (7, crate::Phase::Reduced), "RFC 3168 with CUBIC's 0.7");
    world.faults.marks = 0;
    world.write(0, client, &stream(0, 100)).unwrap();
    assert!(world.log.last().unwrap().has(Flags::CWR));
    world.run(millis(100));
    assert!(!world.seen(0, 1).last().unwrap().has(Flags::ECE), "and no more");
}

#[test]
fn old_duplicates_of_a_connection_are_told_by_their_clocks() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.write(0, client, b"hello").unwrap();
    world.run(millis(10));
    let mut old = Forged::after(&world, 0);
    let clocks = old.options.timestamps.unwrap();
    old.options.timestamps = Some(Timestamps { value: clocks.value.wrapping_sub(10), ..clocks });
    old.payload = b"evil".to_vec();
    let before = world.log.len();
    world.forge(1, &old);
    assert_eq!(world.seen(before, 1).len(), 1, "PAWS answers with an acknowledgment: RFC 7323, 5.3");
    assert_eq!(world.read(1, server).unwrap(), b"hello");
    assert_eq!(world.sides[1].tcp.statistics().old_timestamps, 1);
    // Some path has taken the option off: the data is what counts, as Linux has it.
    let mut bare = Forged { payload: b"bare".to_vec(), ..Forged::after(&world, 0) };
    bare.options.timestamps = None;
    world.forge(1, &bare);
    assert_eq!(world.read(1, server).unwrap(), b"bare");
}
