//! Streams over links that lose, delay, repeat and break: what is read is what was written, nothing stalls or leaks.

use core::time::Duration;

use super::world::*;
use crate::{Congestion, Cubic, Error, Limits, NewReno, Readiness};

/// Sends `length` bytes each way and closes both ends.
fn transfer<C: Congestion>(seed: u64, faults: Faults, length: usize, prepare: impl FnOnce(&mut World<C>)) -> Duration {
    let mut world = World::<C>::with(seed, Limits::default());
    world.faults = faults;
    world.keep_log = false;
    prepare(&mut world);
    let listener = world.listen(8);
    let client = world.connect();
    let begin = world.now;
    let deadline = begin + Duration::from_secs(3600);
    let mut ends = [Some(client), None];
    let (mut written, mut read, mut eof, mut shut) = ([0; 2], [0; 2], [false; 2], [false; 2]);
    let mut rhythm = Random(seed | 1);
    while !(eof[0] && eof[1]) {
        if ends[1].is_none() {
            ends[1] = world.sides[1].tcp.accept(listener).ok().map(|accepted| accepted.0);
        }
        for side in 0..2 {
            let Some(handle) = ends[side] else { continue };
            while written[side] < length {
                let chunk = (1 + rhythm.below(20_000) as usize).min(length - written[side]);
                match world.write(side, handle, &stream(written[side] + side, chunk)) {
                    Ok(count) => written[side] += count,
                    Err(Error::WouldBlock) => break,
                    Err(error) => panic!("seed {seed}: side {side} cannot write: {error:?}"),
                }
            }
            if written[side] == length && !shut[side] {
                let Side { tcp, wire } = &mut world.sides[side];
                tcp.shutdown(world.now, wire, handle, crate::Shutdown::Write).unwrap();
                shut[side] = true;
            }
            while !eof[side] {
                match world.read(side, handle) {
                    Ok(data) if data.is_empty() => {
                        assert_eq!(read[side], length, "seed {seed}: it ends early");
                        eof[side] = true;
                    }
                    Ok(data) => {
                        assert_eq!(data, stream(read[side] + (1 - side), data.len()), "seed {seed}: other bytes");
                        read[side] += data.len();
                    }
                    Err(Error::WouldBlock) => break,
                    Err(error) => panic!("seed {seed}: side {side} cannot read: {error:?}"),
                }
            }
            let info = world.sides[side].tcp.info(handle).unwrap();
            let waits = info.queued > 0 || info.unacknowledged > 0;
            assert!(!waits || world.sides[side].tcp.deadline().is_some(), "seed {seed}: it would stall: {info:?}");
        }
        if eof[0] && eof[1] {
            break;
        }
        assert!(world.step(deadline), "seed {seed}: nothing happens: {written:?} {read:?}");
    }
    let took = world.now.since(begin);
    assert!(
        ends.iter().enumerate().all(|(side, end)| world.ready(side, end.unwrap()).contains(Readiness::READ_CLOSED))
    );
    for (side, end) in ends.into_iter().enumerate() {
        world.close(side, end.unwrap());
    }
    world.close(1, listener);
    world.check_empty([0, 0]);
    took
}

#[test]
fn a_clean_link_takes_few_round_trips() {
    let took = transfer::<Cubic>(1, Faults::default(), 200_000, |_| {});
    assert!(took < millis(150), "{took:?} for 200 KB at 10 ms");
}

#[test]
fn streams_are_whole_whatever_the_link_does() {
    for seed in 1..=300 {
        let mut random = Random(seed * 7919);
        let faults = Faults {
            loss: random.below(80),
            late: random.below(100),
            twice: random.below(50),
            broken: random.below(20),
            marks: random.below(50),
            ..Faults::default()
        };
        transfer::<Cubic>(seed, faults, 1 + random.below(150_000) as usize, |world| {
            world.delay = Duration::from_micros(random.below(60_000));
            if random.below(2) == 0 {
                world.sides.iter_mut().for_each(|side| side.wire.burst = 1480);
            }
        });
    }
}

#[test]
fn streams_are_whole_with_new_reno_too() {
    for seed in 1..=60 {
        let faults = Faults { loss: 20, late: 20, ..Faults::default() };
        transfer::<NewReno>(seed, faults, 100_000, |_| {});
    }
}

#[test]
fn a_terrible_link_is_slow_but_works() {
    for seed in 1..=10 {
        let faults = Faults { loss: 200, late: 300, twice: 100, broken: 50, ..Faults::default() };
        transfer::<Cubic>(seed, faults, 20_000, |_| {});
    }
}

#[test]
fn losses_are_repaired_without_timeouts() {
    for (loss, most) in [(0, 0), (10, 3), (50, 20)] {
        let mut world = World::<Cubic>::with(5, Limits::default());
        world.keep_log = false;
        world.byte_time = 80; // 100 Mbit/s
        let (client, server, _) = world.pair();
        world.faults.loss = loss;
        let begin = world.now;
        let (mut written, mut read) = (0, 0);
        while read < 10_000_000 {
            while let Ok(count) = world.write(0, client, &stream(written, 50_000)) {
                written += count;
            }
            assert!(world.step(begin + Duration::from_secs(1000)));
            read += world.read(1, server).map_or(0, |data| data.len());
        }
        let took = world.now.since(begin);
        let info = world.sides[0].tcp.info(client).unwrap();
        let timeouts = world.sides[0].tcp.statistics().timeouts;
        assert!(timeouts <= most, "{loss} in a thousand: {timeouts} timeouts");
        assert!(info.duplicates_told <= most as u32, "{} needless", info.duplicates_told);
        assert!(loss > 0 || took < millis(900), "{took:?}: 10 MB fill 100 Mbit/s");
    }
}
