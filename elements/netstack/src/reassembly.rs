//! Fragments become packets again: RFC 791, 3.2; RFC 815; RFC 8200, 4.5; RFC 5722.
//!
//! Memory is bounded in all, for each source, and for each packet. Fragments that overlap end their packet, and those
//! that still come for it are dropped too.

use alloc::{collections::BTreeMap, vec::Vec};
use core::{net::IpAddr, time::Duration};

use packets::{Bytes, Instant, Parts};

use crate::{
    delivery::Arrived,
    schedule::Schedule,
    secret::{Secret, Table},
};

/// Bytes of all fragments that wait: Linux' `ipfrag_high_thresh`.
pub const MEMORY: usize = 4 << 20;
/// Of these, those from one source: a quarter, so that one liar leaves room for others.
pub const SHARE: usize = MEMORY / 4;
/// Fragments of one packet: 64 KB over the narrowest usual link (256 bytes).
pub const FRAGMENTS: usize = 256;
/// What a fragment costs beside its bytes.
const OVERHEAD: usize = 128;
/// How long the others are waited for: Linux' `ipfrag_time`.
const TIME_V4: Duration = Duration::from_secs(30);
/// RFC 8200, 4.5.
const TIME_V6: Duration = Duration::from_secs(60);
/// The longest payload of IP.
const LONGEST: usize = 65_535;

/// What fragments of one packet have in common. The interface is none of it in IPv4, but links have addresses of
/// their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The source.
    pub from: IpAddr,
    /// The destination.
    pub to: IpAddr,
    /// Their number.
    pub identification: u32,
    /// The protocol; 0 in IPv6, where it does not count.
    pub protocol: u8,
    /// The interface that they come by.
    pub interface: u32,
}

/// One fragment.
#[derive(Debug)]
pub struct Fragment {
    /// Where it begins.
    pub offset: usize,
    /// Others follow.
    pub more: bool,
    /// Its bytes. They are copied: a fragment may be a small piece of a large buffer.
    pub bytes: Vec<u8>,
    /// How it has come.
    pub arrived: Arrived,
    /// The protocol that it says: that of the first one counts.
    pub protocol: u8,
}

/// What came of a fragment.
#[derive(Debug)]
pub enum Outcome {
    /// Others are missing.
    Waiting,
    /// It was dropped, and perhaps all that came before.
    Dropped,
    /// The packet is whole: how its first fragment has come, its protocol, and its payload.
    Whole(Arrived, u8, Parts),
}

/// A packet whose time has ended: how its first fragment has come, and that one's payload, if it was there.
pub type Late = Option<(Arrived, Bytes)>;

#[derive(Debug)]
struct Packet {
    ends: Instant,
    /// By offset. None overlap.
    pieces: BTreeMap<usize, Bytes>,
    /// The whole length, once the last fragment is there.
    length: Option<usize>,
    /// Of the first fragment.
    first: Option<(Arrived, u8)>,
    have: usize,
    cost: usize,
    /// Fragments have overlapped: all that comes is dropped.
    spoiled: bool,
}

/// Fragments that wait for others.
#[derive(Debug)]
pub struct Reassembly {
    packets: Table<Key, Packet>,
    ends: Schedule<Key>,
    sources: Table<IpAddr, usize>,
    memory: usize,
    limit: usize,
}

impl Reassembly {
    /// None yet.
    #[must_use]
    pub fn new(secret: &Secret) -> Self {
        let (packets, sources) = (secret.table("fragments"), secret.table("fragments' sources"));
        Self { packets, ends: Schedule::default(), sources, memory: 0, limit: MEMORY }
    }

    /// Holds so many bytes at most, and no more than [`MEMORY`]: a quarter of them for one sender.
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes.min(MEMORY);
    }

    /// Bytes that are held.
    #[must_use]
    pub const fn memory(&self) -> usize {
        self.memory
    }

    /// Takes a fragment.
    pub fn add(&mut self, now: Instant, key: Key, fragment: Fragment) -> Outcome {
        let cost = fragment.bytes.len() + OVERHEAD;
        if !self.packets.contains_key(&key) && !self.begin(now, key) {
            return Outcome::Dropped;
        }
        if self.sources.get(&key.from).copied().unwrap_or(0) + cost > self.limit / 4 || self.memory + cost > self.limit
        {
            self.remove(key);
            return Outcome::Dropped;
        }
        let Some(packet) = self.packets.get_mut(&key) else { return Outcome::Dropped };
        match packet.add(fragment) {
            Added::Spoiled => {
                self.spoil(key);
                Outcome::Dropped
            }
            Added::Nothing => Outcome::Dropped,
            Added::Waiting => {
                packet.cost += cost;
                self.charge(key.from, cost);
                Outcome::Waiting
            }
            Added::Whole => self.finish(key),
        }
    }

    /// When the first packet's time ends.
    #[must_use]
    pub const fn earliest(&self) -> Instant {
        self.ends.earliest()
    }

    /// Takes out a packet whose time has ended.
    pub fn late(&mut self, now: Instant) -> Option<Late> {
        let key = self.ends.due(now)?;
        let packet = self.remove(key)?;
        let first = packet.first.zip(packet.pieces.into_values().next());
        Some(first.map(|((arrived, _), bytes)| (arrived, bytes)))
    }

    /// Makes a place for a new packet. The oldest ones make room.
    fn begin(&mut self, now: Instant, key: Key) -> bool {
        if self.sources.get(&key.from).copied().unwrap_or(0) + OVERHEAD > SHARE {
            return false;
        }
        while self.memory + (LONGEST + OVERHEAD) > self.limit
            && let Some((_, oldest)) = self.ends.first()
        {
            self.remove(oldest);
        }
        let ends = now + if key.from.is_ipv4() { TIME_V4 } else { TIME_V6 };
        let packet = Packet {
            ends,
            pieces: BTreeMap::new(),
            length: None,
            first: None,
            have: 0,
            cost: OVERHEAD,
            spoiled: false,
        };
        self.packets.insert(key, packet);
        self.ends.set(ends, key);
        self.charge(key.from, OVERHEAD);
        true
    }

    fn charge(&mut self, from: IpAddr, cost: usize) {
        self.memory += cost;
        *self.sources.entry(from).or_default() += cost;
    }

    fn discharge(&mut self, from: IpAddr, cost: usize) {
        self.memory -= cost;
        if let Some(held) = self.sources.get_mut(&from) {
            *held -= cost;
            if *held == 0 {
                self.sources.remove(&from);
            }
        }
    }

    fn remove(&mut self, key: Key) -> Option<Packet> {
        let packet = self.packets.remove(&key)?;
        self.ends.clear(packet.ends, key);
        self.discharge(key.from, packet.cost);
        Some(packet)
    }

    /// RFC 5722, 4: all fragments of the packet are dropped, those that come later too. So its place stays.
    fn spoil(&mut self, key: Key) {
        let Some(packet) = self.packets.get_mut(&key) else { return };
        let cost = packet.cost - OVERHEAD;
        (packet.spoiled, packet.cost, packet.first) = (true, OVERHEAD, None);
        packet.pieces.clear();
        self.discharge(key.from, cost);
    }

    fn finish(&mut self, key: Key) -> Outcome {
        match self.remove(key).and_then(|packet| packet.first.map(|first| (first, packet.pieces))) {
            Some(((arrived, protocol), pieces)) => Outcome::Whole(arrived, protocol, pieces.into_values().collect()),
            None => Outcome::Dropped,
        }
    }
}

enum Added {
    Waiting,
    Whole,
    /// It was there before.
    Nothing,
    Spoiled,
}

impl Packet {
    fn add(&mut self, fragment: Fragment) -> Added {
        let (begin, end) = (fragment.offset, fragment.offset + fragment.bytes.len());
        if self.spoiled {
            return Added::Nothing;
        }
        // RFC 8200, 4.5 lets exact copies pass: networks duplicate.
        if self.pieces.get(&begin).is_some_and(|piece| *piece == fragment.bytes) {
            return Added::Nothing;
        }
        let before = self.pieces.range(..end).next_back();
        let overlaps = before.is_some_and(|(&offset, piece)| offset + piece.len() > begin || offset >= begin);
        let last = (!fragment.more).then_some(end);
        let beyond = self.length.or(last).is_some_and(|length| end > length || self.reach() > length);
        let other_end = self.length.zip(last).is_some_and(|(one, other)| one != other);
        if overlaps || beyond || other_end || self.pieces.len() >= FRAGMENTS {
            return Added::Spoiled;
        }
        self.length = self.length.or(last);
        if begin == 0 {
            self.first = Some((fragment.arrived, fragment.protocol));
        }
        self.have += fragment.bytes.len();
        self.pieces.insert(begin, fragment.bytes.into());
        if self.length == Some(self.have) { Added::Whole } else { Added::Waiting }
    }

    /// Where the last piece ends.
    fn reach(&self) -> usize {
        self.pieces.last_key_value().map_or(0, |(offset, piece)| offset + piece.len())
    }
}
