//! Connections where nothing happens: keepalive, patience, and the memory that they take.

use alloc::vec::Vec;
use core::time::Duration;

use super::world::*;
use crate::{Cubic, Error, State, connection::Connection};

#[test]
fn keepalive_probes_and_gives_up() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| {
        settings.keep_alive = true;
        settings.keep_idle = Duration::from_secs(10);
        settings.keep_interval = Duration::from_secs(2);
        settings.keep_count = 3;
    });
    let (before, begin) = (world.log.len(), world.now);
    world.run(Duration::from_secs(35));
    let probes: Vec<u64> = world.seen(before, 0).iter().map(|seen| seen.at.since(begin).as_secs()).collect();
    assert_eq!(probes.len(), 3, "{probes:?}: every ten seconds, as they are answered");
    assert_eq!(world.seen(before, 1).len(), 3);
    world.drop = |_, _| true;
    let (before, begin) = (world.log.len(), world.now);
    world.run(Duration::from_secs(60));
    let sent: Vec<_> = world.seen(before, 0);
    let at: Vec<u64> = sent.iter().map(|seen| seen.at.since(begin).as_secs() + 5).collect();
    assert_eq!(at.len(), 4, "{at:?}: three probes and a reset");
    assert!(at.windows(2).all(|two| two[1] - two[0] == 2), "{at:?}");
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::TimedOut));
    assert_eq!(world.sides[1].tcp.info(server).unwrap().state, State::Established, "it has no keepalive");
}

#[test]
fn a_user_timeout_ends_unanswered_data() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.user_timeout = Some(Duration::from_secs(5)));
    world.drop = |_, _| true;
    world.write(0, client, b"hello?").unwrap();
    world.run(Duration::from_secs(4));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().state, State::Established);
    world.run(Duration::from_secs(9));
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::TimedOut), "RFC 5482");
}

#[test]
fn a_user_timeout_ends_a_closed_window() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.user_timeout = Some(Duration::from_secs(5)));
    for _ in 0..100 {
        let _ = world.write(0, client, &[1; 10_000]);
        world.run(millis(10));
    }
    world.run(Duration::from_secs(30));
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(Error::TimedOut));
}

#[test]
fn nothing_is_due_when_nothing_happens() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.write(0, client, b"hello").unwrap();
    world.run(Duration::from_secs(10));
    world.read(1, server).unwrap();
    world.run(Duration::from_secs(10));
    for side in &world.sides {
        assert_eq!(side.tcp.deadline(), None, "no tick");
    }
}

#[test]
fn ten_thousand_idle_connections_are_small() {
    let mut world = World::new();
    world.keep_log = false;
    let listener = world.listen(20_000);
    let mut pairs = Vec::new();
    for _ in 0..10_000 {
        pairs.push((world.connect(), None));
        if pairs.len() % 500 == 0 {
            world.run(millis(20));
        }
    }
    for pair in &mut pairs {
        pair.1 = Some(world.sides[1].tcp.accept(listener).unwrap().0);
    }
    for (client, _) in pairs.clone() {
        world.write(0, client, &stream(0, 3_000)).unwrap();
    }
    world.run(Duration::from_secs(2));
    for (client, server) in pairs.clone() {
        let server = server.unwrap();
        let data = world.read(1, server).unwrap();
        assert_eq!(data.len(), 3_000);
        world.write(1, server, &data[..200]).unwrap();
        let _ = client;
    }
    world.run(Duration::from_secs(2));
    for (client, _) in pairs.clone() {
        world.read(0, client).unwrap();
    }
    world.run(Duration::from_secs(10));
    for (side, sockets) in [(0, 10_000), (1, 10_001)] {
        let tcp = &world.sides[side].tcp;
        assert_eq!((tcp.memory(), tcp.counts().sockets), (0, sockets));
        let each = tcp.footprint() / sockets as usize;
        assert!(each <= 730, "side {side}: {each} bytes for each connection, its places in tables included");
    }
    assert_eq!(world.sides.iter().filter_map(|side| side.tcp.deadline()).min(), None);
}

#[test]
fn structures_have_the_sizes_that_were_meant() {
    let connection = size_of::<Connection<Cubic>>();
    assert!(connection <= 640, "{connection}");
    assert!(size_of::<crate::time_wait::TimeWait>() <= 64);
    assert!(size_of::<crate::listen::HalfOpen>() <= 72);
}
