//! PRR and RACK by the formulae of RFC 9937 and RFC 8985.

use core::time::Duration;

use packets::{Instant, tcp::SequenceNumber};

use super::*;
use crate::send::{Fate, Record, Records};

fn at(millis: u64) -> Instant {
    Instant::default() + Duration::from_millis(millis)
}

fn record(first: u32, sent: u64) -> Record {
    Record {
        start: SequenceNumber(first * 100),
        end: SequenceNumber(first * 100 + 100),
        sent: at(sent),
        segments: 1,
        size: 100,
        fate: Fate::empty(),
    }
}

#[test]
fn prr_sends_in_proportion() {
    // RFC 9937: 20 in flight, threshold 14; one is lost, the other 19 are told one by one.
    let (mut reduction, mut in_flight, mut sent) = (Reduction::begin(20), 18, 0);
    for delivered in 1..=19_u32 {
        let window = reduction.window(1, in_flight, 14, false);
        let count = window - in_flight;
        sent += count;
        reduction.sent(count);
        in_flight = window - u32::from(delivered < 19);
        let exact = (delivered * 14).div_ceil(20).max(1);
        assert!(sent.abs_diff(exact) <= 1, "after {delivered}: {sent}, and the formula {exact}");
    }
    assert!((13..=14).contains(&in_flight), "{in_flight}: it ends at the threshold");
}

#[test]
fn prr_is_careful_when_much_is_lost() {
    // 20 in flight, 15 of them lost: 4 are on their way, and the threshold is 10.
    let mut reduction = Reduction::begin(20);
    assert_eq!(reduction.window(1, 4, 10, false), 5, "as many as arrive");
    reduction.sent(1);
    assert_eq!(reduction.window(1, 4, 10, true), 6, "one more when the stream moves on: RFC 9937, 6.2");
    reduction.sent(2);
    assert_eq!(reduction.window(9, 9, 10, true), 10, "never beyond the threshold");
}

#[test]
fn the_first_retransmission_is_never_held_back() {
    assert_eq!(Reduction::begin(20).window(0, 20, 10, false), 21);
}

#[test]
fn rack_waits_for_the_reordering_window() {
    let mut records = Records::default();
    (0..5).for_each(|index| records.push(record(index, index.into())));
    let mut rack = Rack::new(SequenceNumber(0));
    records.sack(SequenceNumber(400), SequenceNumber(500), |record| {
        rack.delivered(record, at(104), Some(100_000), false);
    });
    assert_eq!(rack.round_trip, 100_000);
    // One told segment is no proof: a quarter of the round trip is waited.
    let found = rack.detect(&mut records, at(104), 100_000, 100_000, false);
    assert_eq!(
        (found.lost, found.wait),
        (0, Some(Duration::from_millis(24))),
        "RFC 8985, 6.2 step 5: for the last one"
    );
    let found = rack.detect(&mut records, at(126), 100_000, 100_000, false);
    assert_eq!((found.lost, found.wait), (2, Some(Duration::from_millis(2))), "0 and 1 are due at 125 and 126");
    let found = rack.detect(&mut records, at(200), 100_000, 100_000, false);
    assert_eq!((found.lost, found.wait, records.lost), (2, None, 4));
}

#[test]
fn three_told_segments_are_proof_until_reordering_is_seen() {
    for reordering in [false, true] {
        let mut records = Records::default();
        (0..5).for_each(|index| records.push(record(index, index.into())));
        let mut rack = Rack::new(SequenceNumber(0));
        rack.reorderings = reordering.into();
        records.sack(SequenceNumber(200), SequenceNumber(500), |record| {
            rack.delivered(record, at(104), Some(100_000), false);
        });
        let found = rack.detect(&mut records, at(104), 100_000, 100_000, false);
        assert_eq!(found.lost, if reordering { 0 } else { 2 });
    }
}

#[test]
fn what_arrives_behind_a_later_one_shows_reordering() {
    let mut rack = Rack::new(SequenceNumber(0));
    assert!(!rack.delivered(&record(6, 3), at(100), None, false));
    let repeated = Record { fate: Fate::REPEATED, ..record(1, 50) };
    assert!(!rack.delivered(&repeated, at(160), None, false), "a retransmission shows nothing");
    assert!(rack.delivered(&record(2, 2), at(101), None, false));
    rack.overtaken(record(2, 2).start, 100);
    assert_eq!((rack.reorderings, rack.degree), (1, 5), "segments 2 to 6");
}

#[test]
fn a_retransmission_that_is_answered_too_soon_was_needless() {
    let mut rack = Rack::new(SequenceNumber(0));
    rack.delivered(&record(3, 3), at(103), Some(100_000), false);
    let repeated = Record { fate: Fate::REPEATED, ..record(1, 150) };
    rack.delivered(&repeated, at(160), Some(100_000), false);
    assert_eq!(rack.round_trip, 100_000, "10 ms cannot be: RFC 8985, 6.2 step 2");
    rack.delivered(&repeated, at(260), Some(100_000), true);
    assert_eq!(rack.round_trip, 100_000, "its clock is the first transmission's");
    rack.delivered(&repeated, at(260), Some(100_000), false);
    assert_eq!(rack.round_trip, 110_000);
}

#[test]
fn duplicates_widen_the_reordering_window_for_sixteen_recoveries() {
    let mut rack = Rack::new(SequenceNumber(0));
    rack.reorderings = 1;
    let wait = |rack: &Rack| {
        let (mut records, mut rack) = (Records::default(), *rack);
        records.push(record(0, 0));
        rack.delivered(&record(1, 0), at(100), Some(100_000), false);
        rack.detect(&mut records, at(100), 100_000, 90_000, true).wait.unwrap().as_millis()
    };
    assert_eq!(wait(&rack), 25);
    rack.duplicated(SequenceNumber(10), SequenceNumber(50));
    rack.duplicated(SequenceNumber(10), SequenceNumber(50));
    assert_eq!(wait(&rack), 50, "once a round trip");
    rack.duplicated(SequenceNumber(50), SequenceNumber(90));
    assert_eq!(wait(&rack), 75);
    rack.duplicated(SequenceNumber(90), SequenceNumber(130));
    assert_eq!(wait(&rack), 90, "SRTT at most");
    (0..15).for_each(|_| rack.recovered());
    assert_eq!(wait(&rack), 90);
    rack.recovered();
    assert_eq!(wait(&rack), 25);
}
