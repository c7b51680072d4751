//! Which frames are lost: the same ones for the same seed.

/// Losses by chance.
#[derive(Clone, Copy, Debug)]
pub struct Losses {
    /// Of a million frames.
    rate: u64,
    state: u64,
}

impl Losses {
    /// Loses `rate` of a million frames.
    #[must_use]
    pub const fn new(rate: u64, seed: u64) -> Self {
        Self { rate, state: seed }
    }

    /// Whether the next frame is lost.
    pub const fn next(&mut self) -> bool {
        // SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.state;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ word >> 31) % 1_000_000 < self.rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_lost_as_was_said_and_the_same_ones_again() {
        let lost = |rate, seed| {
            let mut losses = Losses::new(rate, seed);
            (0..100_000).filter(|_| losses.next()).collect::<Vec<_>>()
        };
        assert_eq!(lost(0, 1).len(), 0);
        assert_eq!(lost(1_000_000, 1).len(), 100_000);
        let some = lost(10_000, 7);
        assert!((900..1100).contains(&some.len()), "{}", some.len());
        assert_eq!(some, lost(10_000, 7));
        assert_ne!(some, lost(10_000, 8));
    }
}
