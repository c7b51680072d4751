//! Numbers from a seed: the same ones for ever, on every machine, so that a seed is a whole run.

use std::time::Duration;

/// SplitMix64 (Steele, Lea and Flood, 2014): passes the tests of randomness that matter here, and is ten lines.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A stream of numbers of its own for each seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// A number from `least` to `most`, both among them.
    pub const fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most - least + 1)
    }

    /// Whether something happens that happens `share` times in a million.
    pub const fn happens(&mut self, share: u32) -> bool {
        self.below(1_000_000) < share as u64
    }

    /// A number up to `most` whose magnitude is random: small ones are as frequent as large ones.
    pub const fn magnitude(&mut self, most: u64) -> u64 {
        let bits = self.below(65 - most.leading_zeros() as u64);
        let bound = (1 << bits) - 1;
        let number = self.between(bound / 2, bound);
        if number < most { number } else { most }
    }

    /// A span between two.
    pub fn span(&mut self, least: Duration, most: Duration) -> Duration {
        Duration::from_nanos(self.between(least.as_nanos() as u64, most.as_nanos() as u64))
    }

    /// One of some, which are not none.
    pub fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }
}

/// Spreads each bit of a number over all of it.
#[must_use]
pub const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_and_are_reached() {
        let mut random = Random::new(1);
        let drawn: Vec<_> = (0..1_000).map(|_| random.between(3, 5)).collect();
        assert!([3, 4, 5].iter().all(|number| drawn.contains(number)) && drawn.iter().all(|n| (3..=5).contains(n)));
        assert!((0..1_000).all(|_| random.magnitude(1_000) <= 1_000));
        assert!((0..1_000).any(|_| random.magnitude(1_000) == 0) && (0..1_000).any(|_| random.magnitude(1_000) > 600));
    }
}
