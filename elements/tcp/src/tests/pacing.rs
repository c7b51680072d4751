//! When segments and acknowledgments go: Nagle, cork, delayed acknowledgments.

use alloc::vec::Vec;

use packets::{Head, Instant, tcp::Flags};

use super::world::*;
use crate::{Handle, Phase, WriteFlags};

/// A connection past its first sixteen segments, so that acknowledgments are delayed. Its receiver answers nothing.
fn settled(world: &mut World) -> (Handle, Handle) {
    let (client, server, _) = world.pair();
    for _ in 0..20 {
        world.write(0, client, &stream(0, MSS)).unwrap();
        world.run(millis(12));
        world.read(1, server).unwrap();
    }
    world.run(millis(100));
    (client, server)
}

/// When and how long: of all data segments of a side since `from`.
fn data(world: &World, from: usize, side: usize) -> Vec<usize> {
    world.seen(from, side).iter().map(|seen| seen.payload.len()).filter(|length| *length > 0).collect()
}

fn since(world: &World, begin: Instant, from: usize, side: usize) -> Vec<u64> {
    world.seen(from, side).iter().map(|seen| seen.at.since(begin).as_millis() as u64).collect()
}

#[test]
fn nagle_lets_one_small_segment_go_and_collects_the_rest() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    let before = world.log.len();
    for _ in 0..5 {
        world.write(0, client, &[1; 100]).unwrap();
    }
    assert_eq!(data(&world, before, 0), [100]);
    world.run(millis(11));
    assert_eq!(data(&world, before, 0), [100, 400], "the rest, when the first is acknowledged");
}

#[test]
fn nagle_holds_only_for_small_ones_before() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    let before = world.log.len();
    world.write(0, client, &stream(0, MSS)).unwrap();
    world.write(0, client, &[1; 100]).unwrap();
    assert_eq!(data(&world, before, 0), [MSS, 100], "Minshall: a full one under way does not matter");
    world.write(0, client, &[1; 50]).unwrap();
    assert_eq!(data(&world, before, 0), [MSS, 100], "a small one does");
    world.write(0, client, &stream(0, MSS)).unwrap();
    assert_eq!(data(&world, before, 0), [MSS, 100, MSS], "full ones go at once");
}

#[test]
fn without_delay_all_go_at_once() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.no_delay = true);
    let before = world.log.len();
    for _ in 0..5 {
        world.write(0, client, &[1; 100]).unwrap();
    }
    assert_eq!(data(&world, before, 0), [100; 5]);
}

#[test]
fn a_cork_holds_small_segments_for_200_ms() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    world.set(0, client, |settings| settings.cork = true);
    let (before, begin) = (world.log.len(), world.now);
    world.write(0, client, &stream(0, MSS + 10)).unwrap();
    assert_eq!(data(&world, before, 0), [MSS], "full ones are not held");
    world.run(millis(500));
    assert_eq!(data(&world, before, 0), [MSS, 10]);
    let held = world.seen(before, 0)[1].at.since(begin);
    assert!(held >= millis(200) && held <= millis(220), "{held:?}");
    world.write(0, client, &[1; 20]).unwrap();
    assert_eq!(data(&world, before, 0), [MSS, 10]);
    world.set(0, client, |settings| settings.cork = false);
    assert_eq!(data(&world, before, 0), [MSS, 10, 20], "pulling it lets go");
}

#[test]
fn a_write_with_more_waits_for_the_next() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    let before = world.log.len();
    let Side { tcp, wire } = &mut world.sides[0];
    tcp.write(world.now, wire, client, &mut Head::payload(&[1; 10]), WriteFlags::MORE).unwrap();
    tcp.write(world.now, wire, client, &mut Head::payload(&[1; 20]), WriteFlags::empty()).unwrap();
    world.flush();
    assert_eq!(data(&world, before, 0), [30]);
}

#[test]
fn the_first_segments_are_acknowledged_at_once() {
    let mut world = World::new();
    let (client, _, _) = world.pair();
    for _ in 0..5 {
        let (before, begin) = (world.log.len(), world.now);
        world.write(0, client, &[7; 10]).unwrap();
        world.run(millis(12));
        assert_eq!(since(&world, begin, before, 1), [5]);
    }
}

#[test]
fn a_lone_segment_is_acknowledged_after_40_ms() {
    let mut world = World::new();
    let (client, _) = settled(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.write(0, client, &[7; 10]).unwrap();
    world.run(millis(100));
    assert_eq!(since(&world, begin, before, 1), [45]);
}

#[test]
fn each_second_full_segment_is_acknowledged_at_once() {
    let mut world = World::new();
    let (client, _) = settled(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.write(0, client, &stream(0, 5 * MSS)).unwrap();
    world.run(millis(100));
    assert_eq!(since(&world, begin, before, 1), [5, 5, 45], "two, two, and the last one late");
}

#[test]
fn a_reader_that_has_drained_the_queue_acknowledges() {
    let mut world = World::new();
    let (client, server) = settled(&mut world);
    let before = world.log.len();
    world.write(0, client, &[7; 10]).unwrap();
    world.run(millis(6));
    assert_eq!(world.seen(before, 1).len(), 0);
    world.read(1, server).unwrap();
    assert_eq!(world.seen(before, 1).len(), 1);
}

#[test]
fn an_answer_carries_the_acknowledgment() {
    let mut world = World::new();
    let (client, server) = settled(&mut world);
    for _ in 0..3 {
        let before = world.log.len();
        world.write(0, client, b"question").unwrap();
        world.run(millis(6));
        world.read(1, server).unwrap();
        world.write(1, server, b"answer").unwrap();
        world.run(millis(6));
        world.read(0, client).unwrap();
        let sent: Vec<_> = world.seen(before, 1).iter().map(|seen| seen.payload.len()).collect();
        assert!(sent.ends_with(&[6]) && sent.len() <= 2, "{sent:?}");
    }
    let before = world.log.len();
    world.write(0, client, b"question").unwrap();
    world.run(millis(6));
    world.read(1, server).unwrap();
    world.write(1, server, b"answer").unwrap();
    world.run(millis(6));
    assert_eq!(world.seen(before, 1).len(), 1, "an interactive program's acknowledgments ride along");
}

#[test]
fn an_answer_carries_the_acknowledgment_of_a_long_question_too() {
    let mut world = World::new();
    let (client, server) = settled(&mut world);
    for _ in 0..3 {
        for (side, handle, other) in [(0, client, server), (1, server, client)] {
            world.write(side, handle, b"either").unwrap();
            world.run(millis(6));
            world.read(1 - side, other).unwrap();
        }
    }
    let ask = |world: &mut World, length: usize| {
        let before = world.log.len();
        world.write(0, client, &stream(0, length)).unwrap();
        world.run(millis(12));
        let at_once = world.seen(before, 1).len();
        world.read(1, server).unwrap();
        let read = world.seen(before, 1).len();
        world.write(1, server, b"answer").unwrap();
        world.run(millis(12));
        world.read(0, client).unwrap();
        (at_once, read, world.seen(before, 1).len())
    };
    assert_eq!(ask(&mut world, MSS + 100), (0, 0, 1), "less than two whole segments");
    assert_eq!(ask(&mut world, 2 * MSS), (1, 1, 2), "two: RFC 9293, 3.8.6.3");
}

#[test]
fn the_last_segment_of_a_packet_is_pushed() {
    let mut world = World::new();
    world.sides[0].wire.burst = 1480;
    let (client, _, _) = world.pair();
    let before = world.log.len();
    world.write(0, client, &stream(0, 3 * MSS)).unwrap();
    let pushed: Vec<_> = world.seen(before, 0).iter().map(|seen| seen.has(Flags::PSH)).collect();
    assert_eq!(pushed, [false, false, true]);
}

#[test]
fn the_first_window_is_ten_segments_and_doubles() {
    let mut world = World::new();
    world.sides[1].wire.burst = 1480;
    let (client, _, _) = world.pair();
    let before = world.log.len();
    world.write(0, client, &stream(0, 60 * MSS)).unwrap();
    assert_eq!(data(&world, before, 0).len(), 10, "RFC 6928");
    world.run(millis(11));
    assert_eq!(data(&world, before, 0).len(), 30, "slow start");
}

#[test]
fn an_idle_connection_starts_with_a_small_window_again() {
    let mut world = World::new();
    world.keep_log = false;
    let (client, server, _) = world.pair();
    for _ in 0..100 {
        world.write(0, client, &stream(0, 60_000)).unwrap_or(0);
        world.run(millis(5));
        let _ = world.read(1, server);
    }
    world.run(millis(500));
    let _ = world.read(1, server);
    world.run(millis(1000));
    let info = world.sides[0].tcp.info(client).unwrap();
    assert!(info.congestion_window > 40 && info.phase == Phase::Open, "{info:?}");
    world.run(core::time::Duration::from_secs(10));
    world.write(0, client, &[1]).unwrap();
    assert_eq!(world.sides[0].tcp.info(client).unwrap().congestion_window, 10, "RFC 2861");
}
