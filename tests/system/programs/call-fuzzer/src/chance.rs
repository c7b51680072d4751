//! Chance that repeats: splitmix64.

/// A sequence of numbers that its seed decides.
#[derive(Clone)]
pub struct Chance(u64);

impl Chance {
    /// The sequence of some numbers that together are a seed.
    pub fn new(words: &[u64]) -> Self {
        let mut chance = Self(0x5eed);
        for word in words {
            chance.0 = chance.0.wrapping_mul(0x1_0000_01b3) ^ word;
            chance.next();
        }
        chance
    }

    /// Any word.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ value >> 31
    }

    /// A number below this one, which is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Yes, once in so many times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn one_of<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len() as u64) as usize]
    }
}
