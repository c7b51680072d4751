//! What is sent and remembered: queues against a plain vector, records against their sums.

use alloc::{vec, vec::Vec};

use bytes::Bytes;
use packets::{Instant, Packet, tcp::SequenceNumber};

use super::*;

fn random(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize
}

#[test]
fn queues_give_what_was_written_wherever_it_lies() {
    for seed in 1..50 {
        let mut state = seed;
        let mut start = SequenceNumber(u32::MAX - 20_000);
        let (mut queue, mut model) = (Queue::new(start), Vec::new());
        for _ in 0..300 {
            let data: Vec<u8> = (0..random(&mut state) % 3_000).map(|_| random(&mut state) as u8).collect();
            match random(&mut state) % 4 {
                0 => queue.push(&data),
                1 => queue.push_shared(Bytes::from(data.clone())),
                2 => {
                    let count = random(&mut state) % (model.len() + 1);
                    start += count as u32;
                    assert_eq!(queue.acknowledge(start) as usize, count);
                    model.drain(..count);
                    continue;
                }
                _ => {
                    let from = random(&mut state) % (model.len() + 1);
                    let length = random(&mut state) % (model.len() - from + 1);
                    let mut packet = Packet::default();
                    queue.gather(start + from as u32, length, &mut packet);
                    assert_eq!(packet.to_vec(), model[from..from + length]);
                    assert!(packet.parts.len() <= 2 + 2 * length / 4096, "few parts: {}", packet.parts.len());
                    continue;
                }
            }
            model.extend(data);
            assert_eq!((queue.len(), queue.end()), (model.len(), start + model.len() as u32));
        }
    }
}

/// A record of whole segments of 100 bytes.
fn record(first: u32, segments: u32) -> Record {
    Record {
        start: SequenceNumber(first * 100),
        end: SequenceNumber((first + segments) * 100),
        sent: Instant::default(),
        segments: segments as u16,
        size: 100,
        fate: Fate::empty(),
    }
}

/// Sums over the records, counted anew.
fn sums(records: &Records) -> [u32; 4] {
    let all: Vec<Record> = (0..records.len()).filter_map(|index| records.get(index).copied()).collect();
    let count =
        |fate| all.iter().filter(|record| record.fate.contains(fate)).map(|record| u32::from(record.segments)).sum();
    [count(Fate::empty()), count(Fate::SACKED), count(Fate::LOST), count(Fate::RETRANSMITTED)]
}

#[test]
fn sums_are_right_whatever_happens_to_records() {
    for seed in 1..200 {
        let mut state = seed;
        let mut records = Records::default();
        let (mut next, mut una) = (0_u32, 0);
        for _ in 0..200 {
            let at = |state: &mut u64| una * 100 + (random(state) as u32 % ((next - una) * 100 + 1));
            match random(&mut state) % 6 {
                0 | 1 => {
                    let count = 1 + random(&mut state) as u32 % 9;
                    records.push(record(next, count));
                    next += count;
                }
                2 => {
                    let (first, end) = (at(&mut state), at(&mut state));
                    records.sack(SequenceNumber(first.min(end)), SequenceNumber(first.max(end)), |_| {});
                }
                3 => {
                    let index = random(&mut state) % (records.len() + 1);
                    records.change(index, |record| {
                        if !record.fate.contains(Fate::SACKED) {
                            record.fate.insert(Fate::LOST);
                        }
                    });
                }
                4 => {
                    let index = random(&mut state) % (records.len() + 1);
                    records.split_after(index, 1 + random(&mut state) as u32 % 4);
                }
                _ => {
                    una += random(&mut state) as u32 % (next - una + 1);
                    records.acknowledge(SequenceNumber(una * 100), |_| {});
                }
            }
            let counted = [records.sent, records.sacked, records.lost, records.retransmitted];
            assert_eq!(counted, sums(&records), "seed {seed}");
            assert_eq!(records.sent, next - una);
        }
    }
}

#[test]
fn sack_counts_whole_segments_and_makes_one_record_of_neighbours() {
    let mut records = Records::default();
    records.push(record(0, 10));
    let mut told = 0;
    records.sack(SequenceNumber(250), SequenceNumber(650), |record| told += record.segments);
    assert_eq!((told, records.sacked, records.len()), (3, 3, 3), "300 to 600");
    records.sack(SequenceNumber(600), SequenceNumber(900), |record| told += record.segments);
    assert_eq!((told, records.sacked, records.len()), (6, 6, 3));
    records.sack(SequenceNumber(300), SequenceNumber(900), |record| told += record.segments);
    assert_eq!(told, 6, "each once");
    records.acknowledge(SequenceNumber(350), |_| {});
    assert_eq!((records.sent, records.sacked), (7, 6), "half a segment is still one");
}

#[test]
fn an_empty_queue_holds_no_bytes() {
    let mut queue = Queue::new(SequenceNumber(0));
    queue.push(&vec![1; 100_000]);
    queue.acknowledge(SequenceNumber(100_000));
    queue.release();
    assert_eq!(queue.footprint(), 0);
}
