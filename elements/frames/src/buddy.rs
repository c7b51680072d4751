//! The buddy system over one stretch of memory.
//!
//! A bit for each frame says whether it is in use, so any part of what was given out may come back. A free block's
//! order and its neighbours in the list of free blocks of that order stand in the word of its first frame; other words
//! mean nothing and are never looked at. As in the bitmap, frames behind the *watermark* have never been given out and
//! have neither bits nor words yet.

use core::ops::Range;

use crate::{
    FreeError, Statistics,
    bits::{self, BITS},
};

/// Orders of blocks: up to 2^18 frames, which are 1 GB.
const ORDERS: usize = 19;
/// The order in which untouched memory is taken up, if no larger one is wanted: 2 MB.
const TAKEN_UP: usize = 9;

/// Bits of a link: the index of a frame, plus 1.
const LINK: usize = 28;

/// A free block's word.
#[derive(Clone, Copy)]
struct Block {
    order: usize,
    /// Indices of the blocks before and behind it in its list, plus 1; 0 at the ends.
    previous: usize,
    next: usize,
}

impl Block {
    const fn from_word(word: u64) -> Self {
        let (word, mask) = (word as usize, (1 << LINK) - 1);
        Self { order: word >> (2 * LINK), previous: word >> LINK & mask, next: word & mask }
    }

    const fn word(self) -> u64 {
        (self.order << (2 * LINK) | self.previous << LINK | self.next) as u64
    }
}

/// A zone under the buddy system.
#[derive(Debug)]
pub struct Zone<'a> {
    frames: Range<usize>,
    in_use: &'a mut [u64],
    blocks: &'a mut [u64],
    /// The first free block of each order: its index plus 1, or 0.
    lists: [usize; ORDERS],
    /// Frames that have been taken up, counted from the zone's start.
    watermark: usize,
    free: usize,
}

impl Zone<'_> {
    fn block(&self, index: usize) -> Block {
        Block::from_word(self.blocks[index])
    }

    fn relink(&mut self, index: usize, change: impl FnOnce(&mut Block)) {
        let mut block = self.block(index);
        change(&mut block);
        self.blocks[index] = block.word();
    }

    /// Puts a block at the head of its list.
    fn link(&mut self, index: usize, order: usize) {
        let next = self.lists[order];
        self.blocks[index] = Block { order, previous: 0, next }.word();
        if next != 0 {
            self.relink(next - 1, |block| block.previous = index + 1);
        }
        self.lists[order] = index + 1;
    }

    /// Takes a block out of its list.
    fn unlink(&mut self, index: usize) {
        let Block { order, previous, next } = self.block(index);
        match previous {
            0 => self.lists[order] = next,
            _ => self.relink(previous - 1, |block| block.next = next),
        }
        if next != 0 {
            self.relink(next - 1, |block| block.previous = previous);
        }
    }

    /// Index of the other half of the block that the one at `index` is a half of, if that is a free block now.
    fn free_buddy(&self, index: usize, order: usize) -> Option<usize> {
        let buddy = ((self.frames.start + index) ^ 1 << order).checked_sub(self.frames.start)?;
        // A frame that is not in use lies in a free block. That one is no larger than `order`, or it would hold the
        // block at `index` too; so the frame is its first one, and its word means something.
        let known = buddy + (1 << order) <= self.watermark;
        (known && !bits::is_set(self.in_use, buddy) && self.block(buddy).order == order).then_some(buddy)
    }

    /// Makes a block free, joined with its buddies.
    fn insert(&mut self, mut index: usize, mut order: usize) {
        bits::clear(self.in_use, index..index + (1 << order));
        self.free += 1 << order;
        while order + 1 < ORDERS
            && let Some(buddy) = self.free_buddy(index, order)
        {
            self.unlink(buddy);
            index = index.min(buddy);
            order += 1;
        }
        self.link(index, order);
    }

    /// The largest order of a block that begins at `index` and ends within `length` frames.
    fn largest(&self, index: usize, length: usize) -> usize {
        let alignment = (self.frames.start + index).trailing_zeros().min(usize::BITS - 1) as usize;
        alignment.min(length.ilog2() as usize).min(ORDERS - 1)
    }

    /// Makes a range free, by the largest blocks that it consists of.
    fn insert_range(&mut self, range: Range<usize>) {
        let mut index = range.start;
        while index < range.end {
            let order = self.largest(index, range.end - index);
            self.insert(index, order);
            index += 1 << order;
        }
    }

    /// Takes untouched memory up until there is a free block of `order`; its order.
    fn take_up(&mut self, order: usize) -> Option<usize> {
        loop {
            if let Some(found) = (order..ORDERS).find(|&order| self.lists[order] != 0) {
                return Some(found);
            }
            let left = self.frames.len() - self.watermark;
            if left == 0 {
                return None;
            }
            let index = self.watermark;
            let block = self.largest(index, left).min(order.max(TAKEN_UP));
            self.watermark += 1 << block;
            // They count as free already.
            self.free -= 1 << block;
            self.insert(index, block);
        }
    }

    /// A block of that order; its index.
    fn take(&mut self, order: usize) -> Option<usize> {
        let mut found = self.take_up(order)?;
        let index = self.lists[found] - 1;
        self.unlink(index);
        while found > order {
            found -= 1;
            self.link(index + (1 << found), found);
        }
        bits::set(self.in_use, index..index + (1 << order));
        self.free -= 1 << order;
        Some(index)
    }
}

impl<'a> crate::Zone<'a> for Zone<'a> {
    fn book_words(frames: &Range<usize>) -> usize {
        frames.len().div_ceil(BITS) + frames.len()
    }

    fn new(frames: Range<usize>, book: &'a mut [u64]) -> Self {
        assert!(book.len() >= Self::book_words(&frames), "the book covers the zone");
        assert!(frames.len() < 1 << LINK, "a zone has less than a terabyte");
        let (in_use, blocks) = book.split_at_mut(frames.len().div_ceil(BITS));
        Self { free: frames.len(), frames, in_use, blocks, lists: [0; ORDERS], watermark: 0 }
    }

    fn frames(&self) -> Range<usize> {
        self.frames.clone()
    }

    fn allocate(&mut self) -> Option<usize> {
        self.take(0).map(|index| self.frames.start + index)
    }

    fn allocate_run(&mut self, count: usize, alignment: usize) -> Option<usize> {
        // A block begins at a multiple of its size. What it has more than was wanted goes back.
        let block = count.max(alignment).checked_next_power_of_two()?;
        let order = block.trailing_zeros() as usize;
        if count == 0 || order >= ORDERS {
            return None;
        }
        let index = self.take(order)?;
        self.insert_range(index + count..index + block);
        Some(self.frames.start + index)
    }

    fn free_run(&mut self, first: usize, count: usize) -> Result<(), FreeError> {
        let start = first - self.frames.start;
        let known = start..(start + count).min(self.watermark.max(start));
        if let Some(index) = bits::first_clear(self.in_use, known.clone()) {
            return Err(FreeError::NotInUse(self.frames.start + index));
        }
        if known.len() < count {
            return Err(FreeError::NotInUse(self.frames.start + known.end));
        }
        self.insert_range(known);
        Ok(())
    }

    fn statistics(&self) -> Statistics {
        Statistics { total: self.frames.len(), free: self.free }
    }
}
