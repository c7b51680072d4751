//! One stretch of memory under a bitmap.
//!
//! Frames behind the *watermark* have never been given out and have no bits yet, so a new zone costs nothing however
//! large it is. Below it a set bit means in use.

use core::ops::Range;

use crate::{Frames, FreeError, Statistics, bitmap_words};

const BITS: usize = u64::BITS as usize;

/// A bitmap allocator. Single frames come from below the watermark first, next to the last one that was freed.
#[derive(Debug)]
pub struct Zone<'a> {
    frames: Range<usize>,
    bitmap: &'a mut [u64],
    /// Frames that have been given out at least once, counted from the zone's start.
    watermark: usize,
    /// Of them, the ones that came back.
    returned: usize,
    /// Where the search for one of those begins.
    cursor: usize,
}

impl<'a> Zone<'a> {
    /// A zone over `frames`, none in use. `bitmap` holds at least [`bitmap_words`] words, with any contents.
    #[must_use]
    pub fn new(frames: Range<usize>, bitmap: &'a mut [u64]) -> Self {
        assert!(bitmap.len() >= bitmap_words(&frames), "the bitmap covers the zone");
        Self { frames, bitmap, watermark: 0, returned: 0, cursor: 0 }
    }

    /// Whether `frame` is one of this zone's.
    #[must_use]
    pub fn contains(&self, frame: usize) -> bool {
        self.frames.contains(&frame)
    }

    fn untouched(&self) -> usize {
        self.frames.len() - self.watermark
    }

    /// Moves the watermark over `count` frames and marks them in use.
    fn advance(&mut self, count: usize) -> Option<usize> {
        if count > self.untouched() {
            return None;
        }
        let first = self.watermark;
        let (mut index, end) = (first, first + count);
        while index < end {
            let bit = index % BITS;
            let here = (BITS - bit).min(end - index);
            let word = &mut self.bitmap[index / BITS];
            // What was in the bitmap before its bits are reached means nothing.
            let known = if bit == 0 { 0 } else { *word };
            *word = known | u64::MAX >> (BITS - here) << bit;
            index += here;
        }
        self.watermark = end;
        Some(self.frames.start + first)
    }

    /// Bits of a word that stand for frames below the watermark and are clear.
    fn returned_in(&self, word: usize) -> u64 {
        let known = self.watermark - word * BITS;
        let mask = if known >= BITS { u64::MAX } else { (1 << known) - 1 };
        !self.bitmap[word] & mask
    }

    fn take_returned(&mut self) -> Option<usize> {
        if self.returned == 0 {
            return None;
        }
        let words = self.watermark.div_ceil(BITS);
        let word = (self.cursor..words).chain(0..self.cursor.min(words)).find(|&word| self.returned_in(word) != 0)?;
        let bit = self.returned_in(word).trailing_zeros() as usize;
        self.bitmap[word] |= 1 << bit;
        self.returned -= 1;
        self.cursor = word;
        Some(self.frames.start + word * BITS + bit)
    }

    fn is_returned(&self, index: usize) -> bool {
        self.bitmap[index / BITS] & 1 << (index % BITS) == 0
    }

    /// First run of `count` returned frames.
    fn take_returned_run(&mut self, count: usize) -> Option<usize> {
        if self.returned < count {
            return None;
        }
        let mut length = 0;
        let last = (0..self.watermark).find(|&index| {
            length = if self.is_returned(index) { length + 1 } else { 0 };
            length == count
        })?;
        let first = last + 1 - count;
        (first..=last).for_each(|index| self.bitmap[index / BITS] |= 1 << (index % BITS));
        self.returned -= count;
        Some(self.frames.start + first)
    }
}

impl Frames for Zone<'_> {
    fn allocate(&mut self) -> Option<usize> {
        self.take_returned().or_else(|| self.advance(1))
    }

    fn allocate_run(&mut self, count: usize) -> Option<usize> {
        match count {
            0 => None,
            1 => self.allocate(),
            _ => self.advance(count).or_else(|| self.take_returned_run(count)),
        }
    }

    fn free(&mut self, frame: usize) -> Result<(), FreeError> {
        if !self.contains(frame) {
            return Err(FreeError::Foreign(frame));
        }
        let index = frame - self.frames.start;
        if index >= self.watermark || self.is_returned(index) {
            return Err(FreeError::NotInUse(frame));
        }
        self.bitmap[index / BITS] &= !(1 << (index % BITS));
        self.returned += 1;
        self.cursor = index / BITS;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { total: self.frames.len(), free: self.untouched() + self.returned }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_frame_is_given_out_once() {
        let mut bitmap = [u64::MAX; 4];
        let mut zone = Zone::new(10..210, &mut bitmap);
        let given: BTreeSet<_> = core::iter::from_fn(|| zone.allocate()).collect();
        assert_eq!(given, (10..210).collect());
        assert_eq!(zone.statistics(), Statistics { total: 200, free: 0 });
        assert_eq!(zone.allocate(), None);
    }

    #[test]
    fn returned_frames_come_again() {
        let mut bitmap = [0xdead_beef; 4];
        let mut zone = Zone::new(0..256, &mut bitmap);
        for _ in 0..256 {
            zone.allocate().unwrap();
        }
        for frame in [3, 64, 130, 255] {
            zone.free(frame).unwrap();
        }
        let again: BTreeSet<_> = core::iter::from_fn(|| zone.allocate()).collect();
        assert_eq!(again, BTreeSet::from([3, 64, 130, 255]));
    }

    #[test]
    fn mistakes_are_noticed() {
        let mut bitmap = [0; 2];
        let mut zone = Zone::new(100..200, &mut bitmap);
        assert_eq!(zone.allocate(), Some(100));
        assert_eq!(zone.free(99), Err(FreeError::Foreign(99)));
        assert_eq!(zone.free(200), Err(FreeError::Foreign(200)));
        assert_eq!(zone.free(101), Err(FreeError::NotInUse(101)));
        assert_eq!(zone.free(100), Ok(()));
        assert_eq!(zone.free(100), Err(FreeError::NotInUse(100)));
    }

    #[test]
    fn runs_are_contiguous_and_reuse_what_came_back() {
        let mut bitmap = [u64::MAX; 2];
        let mut zone = Zone::new(0..100, &mut bitmap);
        assert_eq!(zone.allocate_run(0), None);
        assert_eq!(zone.allocate_run(101), None);
        assert_eq!(zone.allocate_run(90), Some(0));
        assert_eq!(zone.allocate_run(11), None);
        zone.free_run(20, 30).unwrap();
        zone.free(70).unwrap();
        assert_eq!(zone.allocate_run(11), Some(20));
        assert_eq!(zone.allocate_run(10), Some(90));
        assert_eq!(zone.allocate_run(20), None);
        assert_eq!(zone.allocate_run(19), Some(31));
        assert_eq!(zone.statistics().free, 1);
    }

    #[test]
    fn random_use_agrees_with_a_set() {
        let mut bitmap = [0x5555; 8];
        let mut zone = Zone::new(5..500, &mut bitmap);
        let mut used = BTreeSet::new();
        let mut state = 1_u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let count = (state >> 60) as usize % 4 + 1;
            if state >> 40 & 1 == 0 {
                if let Some(first) = zone.allocate_run(count) {
                    assert!((first..first + count).all(|frame| (5..500).contains(&frame) && used.insert(frame)));
                }
            } else if let Some(&frame) = used.iter().nth((state >> 33) as usize % used.len().max(1)) {
                zone.free(frame).unwrap();
                used.remove(&frame);
            }
            assert_eq!(zone.statistics().free, 495 - used.len());
        }
    }
}
