//! How much of what a program writes is taken, and where packets end: send(2), tcp(7).

use alloc::vec::Vec;
use core::time::Duration;

use packets::{Head, tcp::Flags};

use super::world::*;
use crate::{Cubic, Error, Handle, Limits, Readiness, WriteFlags};

fn write(world: &mut World, handle: Handle, length: usize, flags: WriteFlags) -> Result<usize, Error> {
    let Side { tcp, wire } = &mut world.sides[0];
    let result = tcp.write(world.now, wire, handle, &mut Head::payload(&stream(0, length)), flags);
    world.flush();
    result
}

/// Payload and PSH of all data segments of the first side since `from`.
fn sent(world: &World, from: usize) -> Vec<(usize, bool)> {
    let all = world.seen(from, 0).into_iter().filter(|seen| !seen.payload.is_empty());
    all.map(|seen| (seen.payload.len(), seen.has(Flags::PSH))).collect()
}

#[test]
fn what_ends_with_its_write_is_not_joined() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| settings.no_delay = true);
    let before = world.log.len();
    write(&mut world, client, 20 * MSS, WriteFlags::END).unwrap();
    for _ in 0..3 {
        write(&mut world, client, 100, WriteFlags::END).unwrap();
    }
    write(&mut world, client, 200, WriteFlags::empty()).unwrap();
    write(&mut world, client, 300, WriteFlags::empty()).unwrap();
    world.run(millis(23));
    let small: Vec<_> = sent(&world, before).into_iter().filter(|(length, _)| *length < MSS).collect();
    assert_eq!(small, [(100, true), (100, true), (100, true), (500, true)], "MSG_EOR");
    assert_eq!(world.read(1, server).unwrap().len(), 20 * MSS + 800);
}

#[test]
fn more_is_said_of_one_write_alone() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.no_delay = true);
    let before = world.log.len();
    write(&mut world, client, MSS + 10, WriteFlags::MORE).unwrap();
    assert_eq!(sent(&world, before), [(MSS, false)], "it outweighs TCP_NODELAY");
    world.run(millis(11));
    assert_eq!(sent(&world, before), [(MSS, false), (10, false)], "an acknowledgment lets the rest go");
    world.run(millis(100));
    write(&mut world, client, 20, WriteFlags::MORE).unwrap();
    world.run(millis(100));
    assert_eq!(sent(&world, before).len(), 2);
    world.run(millis(120));
    assert_eq!(sent(&world, before)[2..], [(20, true)], "nothing comes that would let it go but time");
}

#[test]
fn no_delay_lets_go_what_a_cork_holds() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.cork = true);
    let before = world.log.len();
    write(&mut world, client, 20, WriteFlags::empty()).unwrap();
    assert_eq!(sent(&world, before), []);
    world.set(0, client, |settings| settings.no_delay = true);
    assert_eq!(sent(&world, before), [(20, true)]);
    write(&mut world, client, 30, WriteFlags::empty()).unwrap();
    assert_eq!(sent(&world, before).len(), 1, "the cork is in still");
}

#[test]
fn small_packets_take_more_than_their_bytes() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.send_limit = Some(20_000));
    let mut written = 0;
    while write(&mut world, client, 1, WriteFlags::END).is_ok() {
        written += 1;
        assert!(written < 20_000, "without end");
    }
    assert_eq!(written, 20_000_usize.div_ceil(1281), "each byte is a packet of its own");
}

#[test]
fn a_queue_grows_with_the_congestion_window() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    let limit = |world: &World| world.sides[0].tcp.info(client).unwrap().send_limit;
    let first = limit(&world);
    assert_eq!(first, 20 * (4096 + 256), "ten segments, twice");
    for _ in 0..40 {
        let _ = write(&mut world, client, 500_000, WriteFlags::empty());
        world.run(millis(10));
        let _ = world.read(1, server);
    }
    assert!(limit(&world) > 2 * first);
}

#[test]
fn a_writer_is_woken_when_half_of_what_may_be_unsent_is_sent() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.unsent_low_water = Some(10_000));
    let written = write(&mut world, client, 1_000_000, WriteFlags::empty()).unwrap();
    let info = world.sides[0].tcp.info(client).unwrap();
    assert!(written < 100_000 && info.unsent >= 10_000, "{info:?}");
    assert_eq!(write(&mut world, client, 1_000_000, WriteFlags::empty()), Err(Error::WouldBlock));
    while !world.ready(0, client).contains(Readiness::WRITABLE) {
        world.run(millis(1));
    }
    assert!(world.sides[0].tcp.info(client).unwrap().unsent < 5_000, "tcp(7): TCP_NOTSENT_LOWAT");
}

/// What was written whole may leave too little room: poll(2) said that it would wait, and has to say when no longer.
#[test]
fn who_wrote_all_of_it_learns_of_room_too() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| settings.send_limit = Some(20_000));
    assert_eq!(write(&mut world, client, 16_000, WriteFlags::empty()), Ok(16_000));
    assert!(!world.ready(0, client).contains(Readiness::WRITABLE));
    let _ = world.events(0);
    for _ in 0..100 {
        let _ = world.read(1, server);
        world.run(millis(10));
    }
    assert!(world.ready(0, client).contains(Readiness::WRITABLE));
    assert_eq!(world.events(0), [client]);
}

/// A short write with nothing before it takes a way of its own, which has to ask for the same.
#[test]
fn a_write_by_itself_waits_for_the_window_and_for_its_moment() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.forge(0, &Forged { window: 0, ..Forged::after(&world, 1) });
    let before = world.log.len();
    assert_eq!(write(&mut world, client, 64, WriteFlags::empty()), Ok(64));
    assert_eq!(sent(&world, before), [], "the window is closed");
    world.run(millis(1000));
    assert_eq!(sent(&world, before), [(64, true)], "a probe finds it open");
    world.run(millis(100));
    world.set(0, client, |settings| settings.pacing = Some(5_000));
    for _ in 0..12 {
        write(&mut world, client, 500, WriteFlags::empty()).unwrap();
        world.run(millis(60));
        let _ = world.read(1, server);
    }
    world.run(millis(500));
    let before = world.log.len();
    write(&mut world, client, 500, WriteFlags::empty()).unwrap();
    world.run(millis(12));
    let _ = world.read(1, server);
    world.run(millis(12));
    assert_eq!(world.sides[0].tcp.info(client).unwrap().unacknowledged, 0);
    write(&mut world, client, 500, WriteFlags::empty()).unwrap();
    assert_eq!(sent(&world, before), [(500, true)], "it has arrived, but takes a tenth of a second of the pace");
    world.run(millis(100));
    assert_eq!(sent(&world, before), [(500, true); 2]);
}

#[test]
fn who_learns_that_there_is_no_room_is_told_when_there_is() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    assert_eq!(world.write(0, client, &stream(0, 40_000)), Ok(40_000), "nobody waits");
    world.events(0);
    // The same as packets that turn out to take more than their bytes: less room than there was.
    world.set(0, client, |settings| settings.send_limit = Some(20_000));
    world.events(0);
    assert!(!world.ready(0, client).contains(Readiness::WRITABLE));
    world.run(millis(200));
    assert!(!world.read(1, server).unwrap().is_empty());
    world.run(millis(200));
    assert!(world.ready(0, client).contains(Readiness::WRITABLE));
    assert!(world.events(0).contains(&client), "somebody waits for it");
}

/// Writes pieces of `length` bytes, each when it is said that there is room, as who waits by epoll does: asks behind an
/// event alone, or behind a write.
fn written_by_readiness(length: usize, limit: u32) -> usize {
    const WHOLE: usize = 1_000_000;
    let mut world = World::<Cubic>::with(1, Limits::default());
    (world.keep_log, world.gathers, world.delay) = (false, true, millis(1));
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| settings.send_limit = Some(limit));
    let (mut written, mut asks) = (0, true);
    let end = world.now + Duration::from_secs(100);
    while written < WHOLE && world.step(end) {
        let _ = world.read(1, server);
        asks |= world.events(0).contains(&client);
        while asks && written < WHOLE {
            asks = world.ready(0, client).contains(Readiness::WRITABLE);
            if asks {
                written += world.write(0, client, &stream(written, length)).unwrap_or(0);
            }
        }
    }
    WHOLE.saturating_sub(written)
}

/// What waits in one piece may go in several, and each has its cost: so room may be lost behind a write that left some.
/// Who is told that a write would wait hears when no longer.
#[test]
fn who_is_told_that_there_is_no_room_learns_of_some() {
    for limit in (20_000..200_000).step_by(7919) {
        for length in [1000, 5000, 30_000, 64 << 10] {
            assert_eq!(written_by_readiness(length, limit), 0, "pieces of {length} bytes, a queue of {limit}");
        }
    }
}
