//! What is due, in the order of time. Setting and taking take O(log n).

use alloc::collections::BTreeSet;

use packets::Instant;

/// Keys with the moments at which something is due for them. Who sets one remembers the moment, to take it out again.
#[derive(Debug)]
pub struct Schedule<K: Ord + Copy>(BTreeSet<(Instant, K)>);

impl<K: Ord + Copy> Default for Schedule<K> {
    fn default() -> Self {
        Self(BTreeSet::new())
    }
}

impl<K: Ord + Copy> Schedule<K> {
    /// Adds one.
    pub fn set(&mut self, at: Instant, key: K) {
        self.0.insert((at, key));
    }

    /// Takes one out that is set for this moment.
    pub fn clear(&mut self, at: Instant, key: K) {
        self.0.remove(&(at, key));
    }

    /// The first one.
    #[must_use]
    pub fn first(&self) -> Option<(Instant, K)> {
        self.0.first().copied()
    }

    /// When the first is due.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.first().map(|(at, _)| at)
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
