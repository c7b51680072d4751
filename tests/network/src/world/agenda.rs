//! What is to happen, in order of time, and at one moment in the order in which it was written down.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use packets::Instant;

/// An item.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// A frame arrives at a side.
    Arrival(usize, Vec<u8>),
    /// A program on a side has waited long enough; its connection's number.
    Wake(usize, usize),
    /// A side's way takes packets of so many bytes from now on.
    Shorten(usize, usize),
    /// A connection starts.
    Start(usize),
}

/// All items.
#[derive(Debug, Default)]
pub struct Agenda {
    items: BinaryHeap<Reverse<(Instant, u64, What)>>,
    count: u64,
}

impl Agenda {
    /// Writes an item down.
    pub fn add(&mut self, moment: Instant, what: What) {
        self.count += 1;
        self.items.push(Reverse((moment, self.count, what)));
    }

    /// The next moment.
    pub fn next(&self) -> Option<Instant> {
        self.items.peek().map(|Reverse((moment, ..))| *moment)
    }

    /// The next item whose moment has come.
    pub fn due(&mut self, now: Instant) -> Option<What> {
        self.next().filter(|&moment| moment <= now)?;
        self.items.pop().map(|Reverse((.., what))| what)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
}
