//! Random bytes from the processor alone.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::{
    features::basic,
    instructions::{random, time_stamp},
};

/// Provider of the contract `entropy` that needs nothing at boot: RDRAND.
///
/// Where the processor has none, or it fails ten times in a row (what Intel advises to try), the bytes are mixed from
/// time stamps. That keeps the tables of two runs apart; it is no secret from anybody who shares the machine, and no
/// key should be made of it.
#[derive(Debug, Default)]
pub struct Random;

impl Random {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Entropy for Random {
    fn fill(&self, buffer: &mut [u8]) {
        let generator = basic().random();
        for piece in buffer.chunks_mut(8) {
            let word = if generator { (0..10).find_map(|_| random()) } else { None };
            let word = word.unwrap_or_else(mixed);
            piece.copy_from_slice(&word.to_le_bytes()[..piece.len()]);
        }
    }
}

/// Time stamps, whose lowest bits vary with caches and interrupts, stirred by multiplication. Words never repeat for
/// the same reason twice: what came before goes in as well.
fn mixed() -> u64 {
    /// 2^64 divided by the golden ratio, odd: spreads each bit over all higher ones.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    static BEFORE: AtomicU64 = AtomicU64::new(0);
    let word = (0..16).fold(BEFORE.load(Ordering::Relaxed), |word: u64, _| {
        (word ^ time_stamp()).wrapping_mul(SPREAD).rotate_left(29)
    });
    BEFORE.store(word, Ordering::Relaxed);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use machine::Entropy;

    use super::*;

    #[test]
    fn no_two_fillings_are_alike() {
        let (mut first, mut second) = ([0; 21], [0; 21]);
        Random::new().fill(&mut first);
        Random::new().fill(&mut second);
        assert_ne!(first, second);
        assert_ne!(first[16..], [0; 5]);
    }

    #[test]
    fn mixed_words_differ_in_many_bits() {
        let different: u32 = (0..64).map(|_| (mixed() ^ mixed()).count_ones()).sum();
        assert!((64 * 24..64 * 40).contains(&different), "{different}");
    }
}
