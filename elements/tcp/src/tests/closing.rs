//! Closing: half and whole, from both sides, with resets, and what TIME-WAIT answers.

use alloc::vec::Vec;
use core::time::Duration;

use packets::tcp::{Flags, Options, Timestamps};

use super::world::*;
use crate::{Error, Handle, Limits, Readiness, Shutdown, State};

fn shut(world: &mut World, side: usize, handle: Handle, how: Shutdown) {
    let Side { tcp, wire } = &mut world.sides[side];
    tcp.shutdown(world.now, wire, handle, how).unwrap();
    world.flush();
}

fn state(world: &World, side: usize, handle: Handle) -> State {
    world.sides[side].tcp.info(handle).unwrap().state
}

#[test]
fn a_half_closed_connection_carries_data_the_other_way() {
    let mut world = World::new();
    let (client, server, listener) = world.pair();
    world.write(0, client, b"request").unwrap();
    shut(&mut world, 0, client, Shutdown::Write);
    assert_eq!(world.write(0, client, b"more"), Err(Error::Closed));
    world.run(millis(100));
    assert_eq!((state(&world, 0, client), state(&world, 1, server)), (State::FinWait2, State::CloseWait));
    assert_eq!(world.read(1, server).unwrap(), b"request");
    assert_eq!(world.read(1, server).unwrap(), b"", "the end");
    assert!(world.ready(1, server).contains(Readiness::READ_CLOSED));
    world.write(1, server, &stream(0, 30_000)).unwrap();
    world.run(millis(100));
    assert_eq!(world.read(0, client).unwrap(), stream(0, 30_000));
    shut(&mut world, 1, server, Shutdown::Write);
    world.run(millis(50));
    assert_eq!((state(&world, 0, client), state(&world, 1, server)), (State::Closed, State::Closed));
    assert_eq!(world.sides[0].tcp.counts().time_waits, 1, "who closed first waits");
    assert_eq!(world.sides[1].tcp.counts().time_waits, 0);
    for (side, handle) in [(0, client), (1, server), (1, listener)] {
        world.close(side, handle);
    }
    world.check_empty([0, 0]);
}

#[test]
fn both_may_close_at_once() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.close(0, client);
    world.close(1, server);
    world.run(millis(50));
    assert_eq!(world.sides[0].tcp.counts().time_waits, 1, "RFC 9293, figure 13");
    assert_eq!(world.sides[1].tcp.counts().time_waits, 1);
    world.check_empty([0, 1]);
}

#[test]
fn time_wait_lasts_a_minute_from_the_last_fin_on() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.close(0, client);
    world.run(millis(50));
    // The last acknowledgment is lost, so the other side repeats its FIN.
    world.drop = |seen, number| seen.from == 0 && number > 5 && seen.flags() == Flags::ACK;
    world.close(1, server);
    world.run(millis(30));
    world.drop = |_, _| false;
    assert_eq!(world.sides[1].tcp.counts().orphans, 1, "it waits for the acknowledgment");
    world.run(Duration::from_secs(1));
    assert_eq!(world.sides[1].tcp.counts().orphans, 0, "TIME-WAIT has acknowledged again");
    world.run(Duration::from_secs(59));
    assert_eq!(world.sides[0].tcp.counts().time_waits, 1);
    world.run(Duration::from_secs(1));
    assert_eq!(world.sides[0].tcp.counts().time_waits, 0);
}

/// A connection in TIME-WAIT on side 1, and a segment as its peer would send it.
fn waiting(world: &mut World) -> Forged {
    let (client, server, _) = world.pair();
    world.close(1, server);
    world.run(millis(50));
    world.close(0, client);
    world.run(millis(50));
    assert_eq!(world.sides[1].tcp.counts().time_waits, 1);
    Forged::after(world, 0)
}

#[test]
fn time_wait_does_not_end_by_a_reset() {
    let mut world = World::new();
    let mut forged = waiting(&mut world);
    forged.flags = Flags::RST;
    let before = world.log.len();
    world.forge(1, &forged);
    assert_eq!(world.sides[1].tcp.counts().time_waits, 1, "RFC 1337");
    assert_eq!(world.log.len(), before);
}

#[test]
fn a_new_connection_may_take_the_place_of_one_in_time_wait() {
    for (later, number, reopens) in [(100, 0_u32, true), (-100_i32, 0, false), (0, 1, true), (0, 0, false)] {
        let mut world = World::new();
        let mut forged = waiting(&mut world);
        let last = world.seen(0, 1).pop().unwrap();
        let clocks = forged.options.timestamps.unwrap();
        let value = clocks.value.wrapping_add_signed(later);
        forged.flags = Flags::SYN;
        forged.sequence = if number == 0 { forged.sequence - 5000 } else { forged.sequence + number };
        forged.options = Options { segment_size: Some(1460), ..Options::default() };
        forged.options.timestamps = Some(Timestamps { value, echo: 0 });
        world.forge(1, &forged);
        let answer = world.log.last().unwrap().clone();
        assert_eq!(answer.has(Flags::SYN | Flags::ACK), reopens, "clock {later}, number {number}");
        if reopens {
            let first = answer.header.sequence();
            assert!(first.is_behind(last.header.sequence() + 65_535), "RFC 1122, 4.2.2.13");
            assert_eq!(world.sides[1].tcp.counts().time_waits, 0);
        } else {
            assert_eq!(answer.flags(), Flags::ACK);
        }
    }
}

#[test]
fn closing_with_unread_bytes_resets() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.write(0, client, b"unread").unwrap();
    world.run(millis(20));
    world.close(1, server);
    assert!(world.log.last().unwrap().has(Flags::RST), "RFC 2525, 2.17");
    world.run(millis(20));
    assert_eq!(world.read(0, client), Err(Error::Reset));
    world.check_empty([1, 1]);
}

#[test]
fn no_time_to_linger_resets() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| settings.linger = Some(Duration::ZERO));
    world.write(0, client, b"lost").unwrap();
    world.close(0, client);
    assert!(world.log.last().unwrap().has(Flags::RST));
    world.run(millis(20));
    assert_eq!(world.read(1, server).unwrap(), b"lost", "what had come may be read");
    assert_eq!(world.read(1, server), Err(Error::Reset));
    assert_eq!(world.read(1, server).unwrap(), b"");
}

#[test]
fn data_for_a_closed_socket_is_answered_by_a_reset() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.close(1, server);
    world.run(millis(20));
    world.write(0, client, b"for whom?").unwrap();
    world.run(millis(20));
    assert!(world.seen(0, 1).last().unwrap().has(Flags::RST), "RFC 1122, 4.2.2.13");
    assert_eq!(world.write(0, client, b"x"), Err(Error::Closed), "EPIPE after the other side's FIN");
}

#[test]
fn a_closed_socket_waits_for_the_others_fin_for_a_minute() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.close(0, client);
    world.run(Duration::from_secs(59));
    assert_eq!(world.sides[0].tcp.counts().orphans, 1);
    world.run(Duration::from_secs(2));
    assert_eq!(world.sides[0].tcp.counts().orphans, 0);
    assert_eq!(state(&world, 1, server), State::CloseWait);
}

#[test]
fn what_is_queued_goes_out_before_the_fin() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.faults.loss = 50;
    let mut written = 0;
    while let Ok(count) = world.write(0, client, &stream(written, 10_000)) {
        written += count;
    }
    world.close(0, client);
    let mut read = Vec::new();
    while world.step(world.now + Duration::from_secs(60)) {
        match world.read(1, server) {
            Ok(data) if data.is_empty() => break,
            Ok(data) => read.extend(data),
            Err(error) => assert_eq!(error, Error::WouldBlock),
        }
    }
    assert_eq!(read, stream(0, written));
}

#[test]
fn orphans_are_limited() {
    let mut world = World::<crate::Cubic>::with(3, Limits { orphans: 2, ..Limits::default() });
    let listener = world.listen(128);
    let clients: Vec<_> = (0..5).map(|_| world.connect()).collect();
    world.run(millis(50));
    while world.sides[1].tcp.accept(listener).is_ok() {}
    let before = world.log.len();
    for client in clients {
        world.close(0, client);
    }
    let resets = world.seen(before, 0).iter().filter(|seen| seen.has(Flags::RST)).count();
    assert_eq!((world.sides[0].tcp.counts().orphans, resets), (2, 3));
    assert_eq!(world.sides[0].tcp.statistics().orphans_reset, 3);
}

#[test]
fn many_connections_one_after_another_leave_nothing() {
    let mut world = World::new();
    world.keep_log = false;
    let listener = world.listen(128);
    for number in 0..3_000 {
        let client = world.connect();
        world.run(millis(16));
        let server = world.sides[1].tcp.accept(listener).unwrap_or_else(|_| panic!("connection {number}")).0;
        world.write(0, client, b"ping").unwrap();
        world.run(millis(12));
        assert_eq!(world.read(1, server).unwrap(), b"ping");
        world.close(0, client);
        world.close(1, server);
    }
    world.close(1, listener);
    world.check_empty([0, 0]);
}

#[test]
fn a_listener_that_is_shut_down_may_listen_again() {
    let mut world = World::new();
    let listener = world.listen(128);
    let shut_down = |world: &mut World, how| {
        let (now, side) = (world.now, &mut world.sides[1]);
        side.tcp.shutdown(now, &mut side.wire, listener, how)
    };
    shut_down(&mut world, Shutdown::Write).unwrap();
    let waiting = world.connect();
    world.run(millis(50));
    assert_eq!(world.events(1), [listener]);
    shut_down(&mut world, Shutdown::Read).unwrap();
    assert_eq!(world.events(1), [listener], "who waits for connections is told");
    assert_eq!(world.sides[1].tcp.readiness(listener), Ok(Readiness::WRITABLE | Readiness::HANGUP));
    assert_eq!(world.sides[1].tcp.accept(listener), Err(Error::Invalid));
    assert_eq!(shut_down(&mut world, Shutdown::Both), Err(Error::NotConnected), "it is no listener any more");
    let refused = world.connect();
    world.run(millis(50));
    let error = |world: &mut World, client| world.sides[0].tcp.take_error(client).unwrap();
    assert_eq!(error(&mut world, waiting), Some(Error::Reset));
    assert_eq!(error(&mut world, refused), Some(Error::Refused));
    world.sides[1].tcp.listen(listener, 8).unwrap();
    let client = world.connect();
    world.run(millis(50));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    for (side, handle) in [(0, waiting), (0, refused), (0, client), (1, server), (1, listener)] {
        world.close(side, handle);
    }
    world.run(millis(300_000));
    world.check_empty([0, 0]);
}
