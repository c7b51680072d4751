//! Reassembly against a plain array of bytes, queues against a plain vector, windows by hand.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use bytes::Bytes;
use packets::{
    Instant, Parts,
    tcp::{SackBlocks, SequenceNumber},
};

use super::{reassembly::MOST_RANGES, *};

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

/// Bytes whose value says where they are.
fn part(from: usize, length: usize) -> Parts {
    let bytes: Vec<u8> = (from..from + length).map(|at| ((at * 31) >> 3) as u8).collect();
    let mut parts = Parts::new();
    let half = length / 2;
    [&bytes[..half], &bytes[half..]].iter().filter(|part| !part.is_empty()).for_each(|part| {
        parts.push(Bytes::copy_from_slice(part));
    });
    parts
}

#[test]
fn whatever_comes_early_is_put_together() {
    for seed in 1..200 {
        let (mut state, base) = (seed, SequenceNumber(u32::MAX - 3_000));
        let mut early = Reassembly::default();
        let mut known = vec![false; 8_000];
        for _ in 0..100 {
            let (from, length) = (1 + random(&mut state) % 6_000, 1 + random(&mut state) % 700);
            let before = early.held();
            let overlap = (from..from + length).position(|at| known[at]).map(|at| from + at);
            let told = early.insert(base + from as u32, part(from, length));
            assert_eq!(told.map(|told| told.0), overlap.map(|at| base + at as u32), "the first duplicate");
            known[from..from + length].fill(true);
            assert_eq!(early.held(), known.iter().filter(|known| **known).count());
            assert!(early.held() >= before);
        }
        let mut blocks = SackBlocks::default();
        early.blocks(&mut blocks);
        for (first, end) in blocks.as_slice() {
            let (first, end) = ((*first - base) as usize, (*end - base) as usize);
            assert!(known[first..end].iter().all(|known| *known) && !known[first - 1] && !known[end]);
        }
        // The first gap is filled up to a place within or before what is held.
        let next = 1 + random(&mut state) % 1_000;
        let (mut at, mut read) = (base + next as u32, Vec::new());
        while let Some((after, mut bytes)) = early.take(at) {
            let mut all = vec![0; bytes.len()];
            bytes.read(&mut all);
            read.extend(all);
            at = after;
        }
        let expected = (next..).take_while(|at| known[*at]).count();
        assert_eq!(read, part(next, expected).concat(), "seed {seed}");
    }
}

#[test]
fn the_block_that_changed_last_is_told_first() {
    let mut early = Reassembly::default();
    for start in [100, 300, 500, 700, 900] {
        early.insert(SequenceNumber(start), part(start as usize, 50));
    }
    early.insert(SequenceNumber(350), part(350, 10));
    let mut blocks = SackBlocks::default();
    early.blocks(&mut blocks);
    let told: Vec<_> = blocks.as_slice().iter().map(|block| (block.0.0, block.1.0)).collect();
    assert_eq!(told, [(300, 360), (900, 950), (700, 750), (500, 550)], "RFC 2018, 4");
}

#[test]
fn ranges_are_bounded_and_still_grow() {
    let mut early = Reassembly::default();
    for index in 0..1_000 {
        early.insert(SequenceNumber(index * 10), part(0, 1));
    }
    assert_eq!(early.held(), MOST_RANGES);
    early.insert(SequenceNumber(1), part(1, 5));
    assert_eq!(early.held(), MOST_RANGES + 5, "what touches a range makes no new one");
}

#[test]
fn queues_read_what_was_pushed() {
    let mut state = 5;
    let (mut queue, mut model) = (Queue::default(), Vec::new());
    for _ in 0..3_000 {
        if random(&mut state).is_multiple_of(2) {
            let bytes: Vec<u8> = (0..1 + random(&mut state) % 600).map(|_| random(&mut state) as u8).collect();
            model.extend_from_slice(&bytes);
            queue.push(Bytes::from(bytes));
        } else if random(&mut state).is_multiple_of(2) {
            let mut to = vec![0; random(&mut state) % 900];
            let offset = random(&mut state) % 100;
            let seen = queue.peek(offset, &mut to);
            assert_eq!(to[..seen], model[offset.min(model.len())..][..seen]);
            let count = queue.read(&mut to);
            assert_eq!(to[..count], *model.drain(..count).collect::<Vec<_>>());
        } else if let Some(part) = queue.take(1 + random(&mut state) % 900) {
            assert_eq!(part, *model.drain(..part.len()).collect::<Vec<_>>());
        }
        assert_eq!(queue.len(), model.len());
    }
}

#[test]
fn windows_grow_in_steps_and_never_shrink() {
    assert_eq!(select(10_000, 10_000, 0, 1_000), 10_000);
    assert_eq!(select(999, 10_000, 0, 1_000), 0, "less than a segment is none");
    assert_eq!(select(1_000, 10_000, 0, 1_000), 1_000);
    assert_eq!(select(5_000, 10_000, 4_500, 1_000), 4_500, "half a segment more is not worth telling");
    assert_eq!(select(5_500, 10_000, 4_500, 1_000), 5_500);
    assert_eq!(select(2_000, 10_000, 4_500, 1_000), 4_500, "never back");
    assert_eq!(select(100, 200, 0, 1_000), 100, "half of a small queue counts as a segment: RFC 9293, 3.8.6.2.2");
}

#[test]
fn the_limit_is_twice_what_a_round_trip_brings() {
    let mut tuning = Tuning::default();
    let at = |millis| Instant::default() + Duration::from_millis(millis);
    assert_eq!(tuning.taken(0, at(1_000), 10_000), None, "a first look");
    assert_eq!(tuning.taken(40_000, at(1_005), 10_000), None, "no round trip yet");
    let limit = tuning.taken(60_000, at(1_010), 10_000).unwrap();
    assert_eq!(limit, 2 * 100_000 + 2 * 100_000 + 16 * 1460, "it has grown from nothing, and may go on");
    assert_eq!(tuning.taken(100_000, at(1_020), 10_000), None, "no more than before");
    assert_eq!(tuning.taken(500_000, at(2_020), 10_000), None, "a hundred round trips brought it");
}
