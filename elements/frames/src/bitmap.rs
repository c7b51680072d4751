//! A bit for each frame.
//!
//! Frames behind the *watermark* have never been given out and have no bits yet, so a new zone costs nothing however
//! large it is. Below it a set bit means in use.

use core::ops::Range;

use crate::{
    FreeError, Statistics,
    bits::{self, BITS},
};

/// A zone under a bitmap. Single frames come from below the watermark first, next to the last one that was freed.
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

impl Zone<'_> {
    fn untouched(&self) -> usize {
        self.frames.len() - self.watermark
    }

    /// Moves the watermark to the end of `used` and marks that in use; what is skipped before it counts as returned.
    fn advance(&mut self, used: Range<usize>) -> usize {
        // What was in the bitmap before its bits are reached means nothing.
        bits::clear(self.bitmap, self.watermark..used.end.next_multiple_of(BITS).min(self.bitmap.len() * BITS));
        bits::set(self.bitmap, used.clone());
        self.returned += used.start - self.watermark;
        self.watermark = used.end;
        self.frames.start + used.start
    }

    /// The next frame behind the watermark: the usual case of a machine that has just started.
    fn advance_one(&mut self) -> Option<usize> {
        if self.untouched() == 0 {
            return None;
        }
        let (index, bit) = (self.watermark, self.watermark % BITS);
        let word = &mut self.bitmap[index / BITS];
        let known = if bit == 0 { 0 } else { *word };
        *word = known | 1 << bit;
        self.watermark += 1;
        Some(self.frames.start + index)
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
        let mut word = self.cursor;
        let mut clear = self.returned_in(word);
        if clear == 0 {
            let words = self.watermark.div_ceil(BITS);
            word = (word + 1..words).chain(0..word.min(words)).find(|&word| self.returned_in(word) != 0)?;
            clear = self.returned_in(word);
        }
        let bit = clear.trailing_zeros() as usize;
        self.bitmap[word] |= 1 << bit;
        self.returned -= 1;
        self.cursor = word;
        Some(self.frames.start + word * BITS + bit)
    }

    /// Takes one frame back, the usual case.
    #[inline]
    fn free_one(&mut self, index: usize) -> bool {
        let (word, bit) = (index / BITS, 1 << (index % BITS));
        if index >= self.watermark || self.bitmap[word] & bit == 0 {
            return false;
        }
        self.bitmap[word] &= !bit;
        self.returned += 1;
        self.cursor = word;
        true
    }

    /// The first index from `index` on whose frame's number is a multiple of `alignment`.
    fn aligned(&self, index: usize, alignment: usize) -> Option<usize> {
        (self.frames.start + index).checked_next_multiple_of(alignment).map(|frame| frame - self.frames.start)
    }

    fn take_untouched_run(&mut self, count: usize, alignment: usize) -> Option<usize> {
        let first = self.aligned(self.watermark, alignment)?;
        let end = first.checked_add(count).filter(|&end| end <= self.frames.len())?;
        Some(self.advance(first..end))
    }

    /// First run of returned frames.
    fn take_returned_run(&mut self, count: usize, alignment: usize) -> Option<usize> {
        if self.returned < count {
            return None;
        }
        let mut first = self.aligned(0, alignment)?;
        loop {
            let run = first..first.checked_add(count).filter(|&end| end <= self.watermark)?;
            match bits::last_set(self.bitmap, run.clone()) {
                Some(used) => first = self.aligned(used + 1, alignment)?,
                None => {
                    bits::set(self.bitmap, run);
                    self.returned -= count;
                    return Some(self.frames.start + first);
                }
            }
        }
    }
}

impl<'a> crate::Zone<'a> for Zone<'a> {
    fn book_words(frames: &Range<usize>) -> usize {
        frames.len().div_ceil(BITS)
    }

    fn new(frames: Range<usize>, book: &'a mut [u64]) -> Self {
        assert!(book.len() >= Self::book_words(&frames), "the bitmap covers the zone");
        Self { frames, bitmap: book, watermark: 0, returned: 0, cursor: 0 }
    }

    fn frames(&self) -> Range<usize> {
        self.frames.clone()
    }

    #[inline]
    fn allocate(&mut self) -> Option<usize> {
        self.take_returned().or_else(|| self.advance_one())
    }

    fn allocate_run(&mut self, count: usize, alignment: usize) -> Option<usize> {
        match (count, alignment) {
            (0, _) => None,
            (1, 1) => self.allocate(),
            _ => self.take_untouched_run(count, alignment).or_else(|| self.take_returned_run(count, alignment)),
        }
    }

    fn free_run(&mut self, first: usize, count: usize) -> Result<(), FreeError> {
        let start = first - self.frames.start;
        if count == 1 {
            return if self.free_one(start) { Ok(()) } else { Err(FreeError::NotInUse(first)) };
        }
        let known = start..(start + count).min(self.watermark.max(start));
        if let Some(index) = bits::first_clear(self.bitmap, known.clone()) {
            return Err(FreeError::NotInUse(self.frames.start + index));
        }
        if known.len() < count {
            return Err(FreeError::NotInUse(self.frames.start + known.end));
        }
        bits::clear(self.bitmap, known);
        self.returned += count;
        self.cursor = start / BITS;
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { total: self.frames.len(), free: self.untouched() + self.returned }
    }
}
