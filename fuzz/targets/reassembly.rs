//! Fragments in any order from three sources, beside a model that keeps plain lists: each answer, each whole packet and
//! each byte of memory is the same.
#![no_main]

use std::collections::BTreeMap;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use netstack::{
    Arrived, Cast, Header, Instant, Secret,
    reassembly::{FRAGMENTS, Fragment, Key, MEMORY, Outcome, Reassembly, SHARE},
};

/// What a place or a fragment costs beside its bytes.
const OVERHEAD: usize = 128;

/// A packet as the model has it.
#[derive(Default)]
struct Packet {
    ends: u64,
    pieces: Vec<(usize, Vec<u8>)>,
    length: Option<usize>,
    spoiled: bool,
}

#[derive(Debug, PartialEq)]
enum Answer {
    Waiting,
    Dropped,
    Whole(Vec<u8>),
}

#[derive(Default)]
struct Model(BTreeMap<Key, Packet>);

impl Packet {
    fn cost(&self) -> usize {
        OVERHEAD + self.pieces.iter().map(|(_, bytes)| bytes.len() + OVERHEAD).sum::<usize>()
    }

    /// `None`: it is spoiled by this.
    fn add(&mut self, begin: usize, bytes: &[u8], more: bool) -> Option<Answer> {
        if self.pieces.iter().any(|(at, piece)| *at == begin && piece == bytes) {
            return Some(Answer::Dropped);
        }
        let end = begin + bytes.len();
        let overlaps = self.pieces.iter().any(|(at, piece)| *at < end && begin < at + piece.len());
        let reach = self.pieces.iter().map(|(at, piece)| at + piece.len()).max().unwrap_or(0);
        let length = self.length.or((!more).then_some(end));
        let wrong = length.is_some_and(|length| end > length || reach > length || !more && end != length);
        if overlaps || wrong || self.pieces.len() >= FRAGMENTS {
            return None;
        }
        self.length = length;
        self.pieces.push((begin, bytes.to_vec()));
        self.pieces.sort();
        let have: usize = self.pieces.iter().map(|(_, piece)| piece.len()).sum();
        let whole = || Answer::Whole(self.pieces.iter().flat_map(|(_, piece)| piece.clone()).collect());
        Some(if self.length == Some(have) { whole() } else { Answer::Waiting })
    }
}

impl Model {
    fn memory(&self) -> usize {
        self.0.values().map(Packet::cost).sum()
    }

    fn share(&self, key: Key) -> usize {
        self.0.iter().filter(|(other, _)| other.from == key.from).map(|(_, packet)| packet.cost()).sum()
    }

    fn add(&mut self, now: u64, key: Key, begin: usize, bytes: &[u8], more: bool) -> Answer {
        if !self.0.contains_key(&key) {
            if self.share(key) + OVERHEAD > SHARE {
                return Answer::Dropped;
            }
            let life = if key.from.is_ipv4() { 30 } else { 60 };
            self.0.insert(key, Packet { ends: now + life * 1_000, ..Packet::default() });
        }
        if self.share(key) + bytes.len() + OVERHEAD > SHARE {
            self.0.remove(&key);
            return Answer::Dropped;
        }
        let packet = self.0.get_mut(&key).unwrap();
        if packet.spoiled {
            return Answer::Dropped;
        }
        let Some(answer) = packet.add(begin, bytes, more) else {
            (packet.spoiled, packet.pieces, packet.length) = (true, Vec::new(), None);
            return Answer::Dropped;
        };
        if matches!(answer, Answer::Whole(_)) {
            self.0.remove(&key);
        }
        answer
    }

    /// How many packets' time is over; they go.
    fn late(&mut self, now: u64) -> usize {
        let before = self.0.len();
        self.0.retain(|_, packet| packet.ends > now);
        before - self.0.len()
    }
}

fn arrived() -> Arrived {
    let header = packets::ipv4::Header::new(17, [10, 0, 0, 2].into(), [10, 0, 0, 1].into(), 64, 0);
    Arrived { interface: 1, header: Header::V4(header), cast: Cast::Ours, for_several: false, fragmented: false }
}

fn at(millis: u64) -> Instant {
    Instant::from_nanos(0) + Duration::from_millis(millis)
}

fuzz_target!(|bytes: &[u8]| {
    let (mut stack, mut model, mut now) = (Reassembly::new(&Secret::new([7; 32])), Model::default(), 0_u64);
    for step in bytes.chunks_exact(5) {
        let &[which, offset, length, kind, time] = step else { return };
        now += u64::from(time) * u64::from(time) * u64::from(time & 1);
        let mut late = 0;
        while stack.earliest() <= at(now) {
            assert!(stack.late(at(now)).is_some(), "something was due");
            late += 1;
        }
        assert_eq!(late, model.late(now));
        // Three sources, so that nobody is thrown out for another: that is not this model's.
        let from = match which % 3 {
            0 => [10, 0, 0, 2].into(),
            1 => [10, 0, 0, 3].into(),
            _ => [0xfe80, 0, 0, 0, 0, 0, 0, 2].into(),
        };
        let key = Key {
            from,
            to: [10, 0, 0, 1].into(),
            identification: u32::from(which / 3 % 4),
            protocol: 17 * u8::from(which & 0x80 == 0),
            interface: 1,
        };
        let more = kind & 1 == 0;
        let unit = if kind & 2 == 0 { 8 } else { 256 };
        let begin = usize::from(offset) * 8;
        let length = if more { (usize::from(length) % 8 + 1) * unit } else { usize::from(length) + 1 };
        // Mostly the bytes that belong there.
        let content = |place: usize| (place as u8).wrapping_mul(37) ^ if kind & 0x1c == 0x1c { 0x55 } else { 0 };
        let payload: Vec<u8> = (begin..begin + length).map(content).collect();
        let expected = model.add(now, key, begin, &payload, more);
        let fragment = Fragment { offset: begin, more, bytes: payload, arrived: arrived(), protocol: 17 };
        let answer = match stack.add(at(now), key, fragment) {
            Outcome::Waiting => Answer::Waiting,
            Outcome::Dropped => Answer::Dropped,
            Outcome::Whole(_, 17, parts) => Answer::Whole(parts.concat()),
            Outcome::Whole(..) => panic!("another protocol"),
        };
        assert_eq!(answer, expected);
        assert_eq!(stack.memory(), model.memory());
        assert!(stack.memory() <= MEMORY);
    }
});
