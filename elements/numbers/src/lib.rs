//! Numbers that are given out, the lowest free one first: descriptors, timers.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

use alloc::vec::Vec;

/// Numbers in use, a bit each; and on each level above, which words of the one below have no zero left. So whatever is
/// in use, a few words are looked at: four levels are for sixteen million numbers.
#[derive(Clone, Default)]
pub struct Numbers {
    levels: Vec<Vec<u64>>,
}

const BITS: usize = u64::BITS as usize;

impl Numbers {
    /// None in use.
    #[must_use]
    pub const fn new() -> Self {
        Self { levels: Vec::new() }
    }

    /// The lowest one from `least` on that is not in use.
    #[must_use]
    #[inline]
    pub fn lowest(&self, least: usize) -> usize {
        // The few numbers of most programs are one word.
        if least < BITS
            && let [words] = &*self.levels
            && let [word] = &**words
            && let free = !word >> least
            && free != 0
        {
            #[cfg(test)]
            steps::count(1);
            return least + free.trailing_zeros() as usize;
        }
        self.zero(0, least)
    }

    /// The first zero of a level from `from` on.
    #[inline(never)]
    fn zero(&self, level: usize, from: usize) -> usize {
        let Some(words) = self.levels.get(level) else { return from };
        #[cfg(test)]
        steps::count(1);
        let bits = words.get(from / BITS).map_or(0, |bits| !bits >> (from % BITS));
        if bits != 0 || from / BITS >= words.len() {
            return if bits == 0 { from } else { from + bits.trailing_zeros() as usize };
        }
        let word = self.zero(level + 1, from / BITS + 1);
        word * BITS + words.get(word).map_or(0, |bits| bits.trailing_ones() as usize)
    }

    /// Says whether one is in use from now on.
    #[inline]
    pub fn mark(&mut self, number: usize, used: bool) {
        if number < BITS
            && let [words] = &mut *self.levels
            && let [word] = &mut **words
        {
            *word = if used { *word | 1 << number } else { *word & !(1 << number) };
            return;
        }
        self.mark_of_many(number, used);
    }

    // Apart, so that who has few saves no registers for it.
    #[inline(never)]
    fn mark_of_many(&mut self, number: usize, used: bool) {
        let (mut bit, mut value) = (number, used);
        for level in 0.. {
            if level == self.levels.len() {
                // One word is below until now.
                let is_full = |words: &Vec<u64>| u64::from(words[0] == u64::MAX);
                let first = level.checked_sub(1).map_or(0, |below| is_full(&self.levels[below]));
                self.levels.push(alloc::vec![first]);
            }
            let words = &mut self.levels[level];
            let (word, mask) = (bit / BITS, 1 << (bit % BITS));
            if word >= words.len() {
                words.resize(word + 1, 0);
            }
            words[word] = if value { words[word] | mask } else { words[word] & !mask };
            if words.len() == 1 {
                return;
            }
            (bit, value) = (word, words[word] == u64::MAX);
        }
    }

    /// The lowest one from `least` on that is in use.
    #[must_use]
    pub fn next(&self, least: usize) -> Option<usize> {
        let (mut word, mut skip) = (least / BITS, least % BITS);
        while let Some(&bits) = self.levels.first()?.get(word) {
            let found = bits >> skip << skip;
            if found != 0 {
                return Some(word * BITS + found.trailing_zeros() as usize);
            }
            (word, skip) = (word + 1, 0);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn they_are_as_in_a_set() {
        let (mut numbers, mut model) = (Numbers::new(), BTreeSet::new());
        let mut state = 3_u64;
        for step in 0..if cfg!(miri) { 200 } else { 20_000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (one, least) = ((state >> 33) as usize % 9000, (state >> 45) as usize % 9500);
            // Mostly full at first, then mostly empty.
            if step % 8 < if step < 10_000 { 7 } else { 1 } {
                let lowest = numbers.lowest(least % 100);
                numbers.mark(lowest, true);
                model.insert(lowest);
            } else {
                numbers.mark(one, false);
                model.remove(&one);
            }
            let free = (least..).find(|number| !model.contains(number)).unwrap();
            assert_eq!((numbers.lowest(least), numbers.next(least)), (free, model.range(least..).next().copied()));
        }
    }

    /// The lowest is closed and opened, then one more at the end.
    #[test]
    fn a_million_take_a_few_looks_each() {
        const MANY: usize = if cfg!(miri) { 5000 } else { 1 << 17 };
        let mut numbers = Numbers::new();
        for number in 0..MANY {
            assert_eq!(numbers.lowest(0), number);
            numbers.mark(number, true);
        }
        for _ in 0..MANY {
            numbers.mark(0, false);
            assert_eq!(numbers.lowest(0), 0);
            numbers.mark(0, true);
            assert_eq!(numbers.lowest(0), MANY);
        }
        let steps = steps::taken();
        assert!(steps <= 3 * MANY * 3, "{steps} words looked at");
        assert_eq!((numbers.next(MANY - 1), numbers.next(MANY)), (Some(MANY - 1), None));
    }
}
