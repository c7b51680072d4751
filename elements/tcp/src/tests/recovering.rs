//! Loss and its repair, with exact times: RFC 5681, 6582, 6675, 8985, 9937.

use alloc::vec::Vec;
use core::time::Duration;

use packets::{
    Instant,
    tcp::{Flags, SackBlocks},
};

use super::world::*;
use crate::{Congestion, Handle, Info, NewReno, Phase};

/// A connection whose window is large enough, on a link of 100 ms, with one segment per packet.
fn open<C: Congestion>(world: &mut World<C>) -> (Handle, Handle) {
    world.delay = millis(50);
    world.sides[0].wire.burst = 1480;
    let listener = world.listen(8);
    let client = world.connect();
    world.run(millis(201));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    (client, server)
}

fn info<C: Congestion>(world: &World<C>, handle: Handle) -> Info {
    world.sides[0].tcp.info(handle).unwrap()
}

/// Which segments were sent, by their place in the stream, and when, in milliseconds.
fn sent<C: Congestion>(world: &World<C>, begin: Instant, from: usize) -> Vec<(u64, usize)> {
    let first = world.log.iter().find(|seen| seen.from == 0).unwrap().header.sequence() + 1;
    let data = world.log[from..].iter().filter(|seen| seen.from == 0 && !seen.payload.is_empty());
    data.map(|seen| (seen.at.since(begin).as_millis() as u64, (seen.header.sequence() - first) as usize / MSS))
        .collect()
}

#[test]
fn one_loss_is_repaired_in_one_round_trip() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    // The third data segment, the first time.
    world.drop = |_, number| number == 5;
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(101));
    let repeated: Vec<_> = sent(&world, begin, before)[10..].to_vec();
    assert_eq!(repeated, [(100, 2)], "three segments behind it have been told: at once, once");
    let state = info(&world, client);
    assert_eq!((state.phase, state.slow_start_threshold), (Phase::Recovery, (12.0 * 0.7) as u32));
    world.run(millis(100));
    assert_eq!(info(&world, client).phase, Phase::Open);
    assert_eq!(world.read(1, server).unwrap(), stream(0, 10 * MSS));
    assert_eq!(world.sides[0].tcp.statistics().timeouts, 0);
}

#[test]
fn several_losses_are_repaired_in_one_round_trip() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.drop = |_, number| [3, 5, 7].contains(&number);
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(101));
    let repeated: Vec<_> = sent(&world, begin, before)[10..].iter().map(|sent| sent.1).collect();
    assert_eq!(repeated, [0, 2, 4], "SACK says which");
    world.run(millis(100));
    assert_eq!(world.read(1, server).unwrap().len(), 10 * MSS);
    assert_eq!(world.sides[0].tcp.statistics().timeouts, 0);
}

#[test]
fn a_lost_tail_is_probed() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.drop = |_, number| [10, 11, 12].contains(&number);
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(290));
    assert_eq!(sent(&world, begin, before).len(), 10);
    world.run(millis(20));
    // The last acknowledgment came at 100 ms; two round trips behind it (RFC 8985, 7.2).
    assert_eq!(sent(&world, begin, before)[10..], [(300, 9)], "the last segment again");
    world.run(millis(100));
    let repeated: Vec<_> = sent(&world, begin, before)[11..].iter().map(|sent| sent.1).collect();
    assert_eq!(repeated, [7], "its SACK shows what is lost, and PRR sends as much as has arrived");
    world.run(millis(200));
    let repeated: Vec<_> = sent(&world, begin, before)[12..].iter().map(|sent| sent.1).collect();
    assert_eq!(repeated, [8]);
    assert_eq!(world.read(1, server).unwrap().len(), 10 * MSS);
    let statistics = world.sides[0].tcp.statistics();
    assert_eq!((statistics.loss_probes, statistics.timeouts), (1, 0));
}

#[test]
fn a_probe_prefers_new_data() {
    let mut world = World::new();
    let (client, _) = open(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.drop = |seen, _| seen.from == 0;
    world.write(0, client, &stream(0, 12 * MSS)).unwrap();
    world.run(millis(210));
    let all = sent(&world, begin, before);
    assert_eq!(all.len(), 11, "{all:?}");
    assert_eq!(all[10], (200, 10), "the window is full, and one segment goes beyond it");
    assert!(!world.log[before..].iter().rfind(|seen| seen.from == 0).unwrap().has(Flags::PSH));
}

#[test]
fn a_probe_of_a_short_path_asks_to_be_read() {
    let mut world = World::new();
    world.delay = Duration::from_micros(100);
    world.sides[0].wire.burst = 1480;
    let (client, ..) = world.pair();
    let before = world.log.len();
    world.drop = |seen, _| seen.from == 0;
    world.write(0, client, &stream(0, 12 * MSS)).unwrap();
    world.run(millis(50));
    let probe = world.log[before..].iter().rfind(|seen| seen.from == 0).unwrap();
    assert_eq!(world.sides[0].tcp.statistics().loss_probes, 1);
    // It is the middle of what was written, and the other side shall not wait for more before it answers.
    assert!(probe.has(Flags::PSH), "{probe:?}");
}

#[test]
fn a_probe_that_repairs_the_loss_costs_as_any_loss() {
    let mut world = World::new();
    let (client, _) = open(&mut world);
    // The last segment, and the acknowledgments of the two before it.
    world.drop = |_, number| [12, 20, 21].contains(&number);
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(500));
    let state = info(&world, client);
    assert_eq!((world.sides[0].tcp.statistics().loss_probes, state.unacknowledged), (1, 0));
    assert_eq!(state.slow_start_threshold, u32::MAX, "nobody knows yet whether it was needed");
    world.write(0, client, &stream(0, MSS)).unwrap();
    world.run(millis(200));
    let after = info(&world, client);
    assert_eq!(after.slow_start_threshold, state.congestion_window * 7 / 10, "no duplicate was told: it was");
}

#[test]
fn a_needless_probe_costs_nothing() {
    let mut world = World::new();
    let (client, _) = open(&mut world);
    world.delay = millis(180);
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(1000));
    let state = info(&world, client);
    assert!(world.sides[0].tcp.statistics().loss_probes >= 1);
    assert_eq!(state.slow_start_threshold, u32::MAX, "the duplicate's SACK says so (RFC 8985, 7.4)");
    assert!(state.duplicates_told >= 1);
}

#[test]
fn a_dead_path_is_tried_at_growing_intervals() {
    let mut world = World::new();
    let (client, _) = open(&mut world);
    world.drop = |_, _| true;
    let (before, begin) = (world.log.len(), world.now);
    world.write(0, client, &stream(0, MSS)).unwrap();
    world.run(Duration::from_secs(2000));
    let at: Vec<_> = sent(&world, begin, before).iter().map(|sent| sent.0).collect();
    // SRTT 100 ms: the probe at 2 SRTT + 200 ms would be behind the timeout of 300 ms, in whose place it goes.
    let mut expected = 0;
    let mut timeout = 150;
    for (index, at) in at.iter().enumerate() {
        assert!(at.abs_diff(expected) <= 5, "segment {index} at {at}, expected {expected}");
        timeout = if index == 1 { 300 } else { (timeout * 2).min(120_000) };
        expected += timeout;
    }
    assert_eq!(at.len(), 17, "a probe, and R2: fifteen times more");
    assert_eq!(world.sides[0].tcp.take_error(client).unwrap(), Some(crate::Error::TimedOut));
}

#[test]
fn a_timeout_sends_the_first_and_slow_starts() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    let (before, begin) = (world.log.len(), world.now);
    world.drop = |seen, number| seen.from == 0 && number < 15;
    world.write(0, client, &stream(0, 10 * MSS)).unwrap();
    world.run(millis(1600));
    let all = sent(&world, begin, before);
    assert_eq!(all[10].0, 200, "a probe first");
    assert_eq!((all[11], all[11].1), ((500, 0), 0), "the timeout runs from the probe on: {all:?}");
    assert_eq!(info(&world, client).unacknowledged, 0, "{all:?}");
    assert_eq!(world.read(1, server).unwrap().len(), 10 * MSS);
}

#[test]
fn the_window_shrinks_in_proportion() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    world.write(0, client, &stream(0, 30 * MSS)).unwrap();
    world.run(millis(299));
    world.read(1, server).unwrap();
    let state = info(&world, client);
    assert_eq!((state.unacknowledged, state.phase), (0, Phase::Open));
    let before = world.log.len();
    world.keep_log = true;
    world.drop = |seen, _| {
        // Once: the first transmission of the first segment of this batch carries no earlier retransmission.
        seen.from == 0 && seen.payload.first() == Some(&0xEE) && seen.at.as_millis() < 1_600
    };
    let mut batch = stream(0, 20 * MSS);
    batch[0] = 0xEE;
    batch.iter_mut().skip(MSS).step_by(MSS).for_each(|byte| *byte = 0x11);
    let window = info(&world, client).congestion_window;
    world.write(0, client, &batch).unwrap();
    world.write(0, client, &stream(0, 20 * MSS).iter().map(|_| 0x22).collect::<Vec<u8>>()).unwrap();
    world.run(millis(220));
    let state = info(&world, client);
    assert_eq!(state.slow_start_threshold, (f64::from(window) * 0.7) as u32, "window {window}");
    let sent = world.seen(before, 0).iter().filter(|seen| !seen.payload.is_empty()).count();
    assert!(sent > 20, "{sent} of {window}: it goes on sending while it shrinks");
    world.run(millis(400));
    assert_eq!(info(&world, client).phase, Phase::Open);
}

#[test]
fn without_sack_new_reno_repairs_one_a_round_trip() {
    let mut world = World::<NewReno>::with(1, crate::Limits::default());
    let listener = world.listen(8);
    world.drop = |_, _| true;
    let mut syn = Forged::syn(999, 77);
    syn.options = packets::tcp::Options { segment_size: Some(1000), ..Default::default() };
    world.forge(1, &syn);
    let first = world.log.last().unwrap().header.sequence() + 1;
    let mut ack = Forged { flags: Flags::ACK, sequence: syn.sequence + 1, acknowledgment: first, ..syn };
    world.forge(1, &ack);
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    world.write(1, server, &stream(0, 10_000)).unwrap();
    let sent = world.seen(0, 1).iter().filter(|seen| !seen.payload.is_empty()).count();
    assert_eq!(sent, 10);
    let before = world.log.len();
    for _ in 0..3 {
        world.forge(1, &ack);
    }
    let again = world.seen(before, 1);
    assert_eq!(again.len(), 1, "the third duplicate");
    assert_eq!(again[0].header.sequence(), first);
    let state = world.sides[1].tcp.info(server).unwrap();
    assert_eq!((state.phase, state.slow_start_threshold), (Phase::Recovery, 5));
    // A partial acknowledgment: the next hole at once (RFC 6582).
    ack.acknowledgment = first + 4_000;
    let before = world.log.len();
    world.forge(1, &ack);
    assert_eq!(world.seen(before, 1)[0].header.sequence(), first + 4_000);
    ack.acknowledgment = first + 10_000;
    world.forge(1, &ack);
    let state = world.sides[1].tcp.info(server).unwrap();
    assert_eq!((state.phase, state.congestion_window), (Phase::Open, 5));
}

#[test]
fn reordering_is_not_taken_for_loss_twice() {
    let mut world = World::new();
    world.faults.late = 100;
    let (client, server) = open(&mut world);
    for _ in 0..100 {
        world.write(0, client, &stream(0, 15 * MSS)).unwrap_or(0);
        world.run(millis(130));
        let _ = world.read(1, server);
    }
    world.run(millis(1000));
    let repeated = info(&world, client).retransmitted_total;
    assert!(repeated < 60, "{repeated} of 1500: the window for reordering has grown (RFC 8985, 6.2)");
    assert!(world.sides[0].tcp.statistics().undone_recoveries > 0, "and reductions were taken back");
}

#[test]
fn a_delay_that_looks_like_loss_is_taken_back() {
    let mut world = World::new();
    let (client, _) = open(&mut world);
    world.write(0, client, &stream(0, 5 * MSS)).unwrap();
    world.run(millis(300));
    let window = info(&world, client).congestion_window;
    world.delay = millis(700);
    world.write(0, client, &stream(0, 5 * MSS)).unwrap();
    world.run(millis(1000));
    assert_eq!(info(&world, client).phase, Phase::Loss);
    world.run(millis(2000));
    let state = info(&world, client);
    assert_eq!(
        (state.phase, state.slow_start_threshold),
        (Phase::Open, u32::MAX),
        "RFC 3522: by the clock that came back"
    );
    assert!(state.congestion_window >= window);
}

#[test]
fn what_comes_twice_is_told() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    world.write(0, client, &stream(0, 2 * MSS)).unwrap();
    world.run(millis(200));
    world.read(1, server).unwrap();
    let twice = world.seen(0, 0).into_iter().find(|seen| !seen.payload.is_empty()).unwrap();
    let mut forged = Forged::after(&world, 0);
    (forged.sequence, forged.payload) = (twice.header.sequence(), twice.payload);
    world.forge(1, &forged);
    let mut expected = SackBlocks::default();
    expected.push(forged.sequence, forged.sequence + MSS as u32);
    assert_eq!(world.log.last().unwrap().options.sack, expected, "RFC 2883");
}

#[test]
fn a_smaller_path_is_taken_up_at_once() {
    let mut world = World::new();
    let (client, server) = open(&mut world);
    let before = world.log.len();
    world.drop = |seen, _| seen.from == 0 && seen.payload.len() > 1200;
    world.write(0, client, &stream(0, 8 * MSS)).unwrap();
    let quoted = Forged { payload: Vec::new(), ..Forged::after(&world, 0) };
    let first = world.seen(before, 0)[0].header.sequence();
    let quoted = Forged { sequence: first, ..quoted }.bytes(ADDRESSES[0].into(), ADDRESSES[1].into());
    let Side { tcp, wire } = &mut world.sides[0];
    tcp.told(world.now, wire, ADDRESSES[0].into(), ADDRESSES[1].into(), &quoted, crate::Told::TooBig(1200));
    world.flush();
    assert_eq!(info(&world, client).send_segment, 1200 - 32);
    world.run(millis(2000));
    assert_eq!(world.read(1, server).unwrap(), stream(0, 8 * MSS));
}
