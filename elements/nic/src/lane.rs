//! One way that packets go, and what goes wrong on it.

use alloc::collections::BTreeMap;
use core::time::Duration;

use packets::{Instant, Packet};

use crate::{Burst, checksum};

/// What goes wrong on a way. Chances are parts in a million.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Packets that are lost.
    pub loss: u32,
    /// Packets that come twice.
    pub duplication: u32,
    /// Packets of which a bit is turned over. One that stands for several segments is lost instead, as what damages one
    /// of these would have it lost.
    pub corruption: u32,
    /// Packets that others overtake, by a way that takes [`Faults::detour`] longer.
    pub reordering: u32,
    /// What the way takes.
    pub delay: Duration,
    /// What it takes longer at the most, by chance. It keeps the order.
    pub jitter: Duration,
    /// What the way takes longer on which packets are overtaken.
    pub detour: Duration,
}

/// Packets under way at the most; others are lost, as on a link whose buffers are full.
const DEPTH: usize = 4096;

/// A way, and who is on it.
#[derive(Debug)]
pub struct Lane {
    pub faults: Faults,
    random: u64,
    /// By when it arrives, and its number.
    under_way: BTreeMap<(Instant, u64), Packet>,
    number: u64,
    /// Nobody who is not overtaken arrives before this.
    last: Instant,
}

impl Lane {
    /// An empty one. The same seed has the same go wrong.
    pub const fn new(faults: Faults, seed: u64) -> Self {
        Self { faults, random: seed, under_way: BTreeMap::new(), number: 0, last: Instant::from_nanos(0) }
    }

    /// The next number of a sequence: SplitMix64 (Steele, Lea, Flood 2014).
    fn number(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ self.random >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn happens(&mut self, chance: u32) -> bool {
        self.number() % 1_000_000 < u64::from(chance)
    }

    /// Lets a packet go.
    pub fn put(&mut self, now: Instant, packet: Packet) {
        if self.happens(self.faults.loss) {
            return;
        }
        if self.happens(self.faults.duplication) {
            self.let_go(now, packet.clone());
        }
        if !self.happens(self.faults.corruption) {
            self.let_go(now, packet);
        } else if let Some(damaged) = self.damaged(&packet) {
            self.let_go(now, damaged);
        }
    }

    fn let_go(&mut self, now: Instant, packet: Packet) {
        let jitter = Duration::from_nanos(self.number() % (self.faults.jitter.as_nanos() as u64).max(1));
        let mut due = (now + self.faults.delay + jitter).max(self.last);
        if self.happens(self.faults.reordering) {
            due += self.faults.detour;
        } else {
            self.last = due;
        }
        self.put_back(due, packet);
    }

    /// Keeps a packet until then.
    pub fn put_back(&mut self, due: Instant, packet: Packet) {
        if self.under_way.len() < DEPTH {
            self.number += 1;
            self.under_way.insert((due, self.number), packet);
        }
    }

    /// A packet with one wrong bit, whose checksum nobody vouches for.
    fn damaged(&mut self, packet: &Packet) -> Option<Packet> {
        let mut bytes = checksum::completed(packet)?;
        let bit = self.number() as usize % (bytes.len() * 8).max(1);
        *bytes.get_mut(bit / 8)? ^= 1 << (bit % 8);
        Some(checksum::plain(bytes))
    }

    /// Moves what has arrived by now to `packets`, at most so many.
    pub fn take(&mut self, now: Instant, packets: &mut Burst, most: usize) -> usize {
        let mut count = 0;
        while count < most
            && let Some(first) = self.under_way.first_entry()
            && first.key().0 <= now
        {
            packets.push(first.remove());
            count += 1;
        }
        count
    }

    /// When the next one arrives.
    pub fn deadline(&self) -> Option<Instant> {
        self.under_way.first_key_value().map(|((due, _), _)| *due)
    }
}
