//! What is due, in the order of time. Setting and taking take O(log n).

use alloc::collections::BTreeSet;

use packets::Instant;

/// Keys with the moments at which something is due for them. Who sets one remembers the moment, to take it out again.
#[derive(Debug)]
pub struct Schedule<K: Ord + Copy> {
    all: BTreeSet<(Instant, K)>,
    /// When the first is due: it is asked for behind each packet.
    first: Instant,
}

impl<K: Ord + Copy> Default for Schedule<K> {
    fn default() -> Self {
        Self { all: BTreeSet::new(), first: Instant::NEVER }
    }
}

impl<K: Ord + Copy> Schedule<K> {
    /// Adds one.
    pub fn set(&mut self, at: Instant, key: K) {
        self.all.insert((at, key));
        self.first = self.first.min(at);
    }

    /// Takes one out that is set for this moment.
    pub fn clear(&mut self, at: Instant, key: K) {
        self.all.remove(&(at, key));
        if self.first == at {
            self.first = self.first().map_or(Instant::NEVER, |(at, _)| at);
        }
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<(Instant, K)> {
        self.all.first().copied()
    }

    /// When the first is due, or never.
    #[must_use]
    pub const fn earliest(&self) -> Instant {
        self.first
    }

    /// Takes the first one out if it is due.
    pub fn due(&mut self, now: Instant) -> Option<K> {
        let (at, key) = self.first()?;
        (at <= now).then(|| {
            self.clear(at, key);
            key
        })
    }
}
