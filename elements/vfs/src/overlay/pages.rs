//! The pages of a file that are not as below.

use alloc::vec::Vec;

use crate::{
    FileError, Sink, Source,
    ramfs::{Surroundings, owned::Owned},
};

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;
const PAGE_BYTES: u64 = PAGE as u64;

/// Longest file, as Linux' loff_t has it.
const MOST_BYTES: u64 = i64::MAX as u64;

#[derive(Default)]
pub(super) struct Pages {
    length: u64,
    /// So many bytes are as below, where no page says something else. Never more than the length.
    kept: u64,
    owned: Owned,
}

/// What comes next of a read.
pub(super) enum Piece {
    /// So many bytes have been moved.
    Moved(usize),
    /// At most so many are to be read from below.
    Below(u64),
}

/// A page of zeros.
pub(super) fn blank(surroundings: &dyn Surroundings) -> Result<Vec<u8>, FileError> {
    let mut page = Vec::new();
    if !surroundings.has_room(PAGE) || page.try_reserve_exact(PAGE).is_err() {
        return Err(FileError::NoSpace);
    }
    page.resize(PAGE, 0);
    Ok(page)
}

impl Pages {
    /// `size` bytes as below.
    pub(super) fn below(size: u64) -> Self {
        let size = size.min(MOST_BYTES);
        Self { length: size, kept: size, owned: Owned::default() }
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// Whether anything is left of what is below.
    pub(super) const fn has_below(&self) -> bool {
        self.kept > 0
    }

    /// Bytes of memory, and of what is below.
    pub(super) fn occupied(&self) -> u64 {
        let whole = self.length.next_multiple_of(PAGE_BYTES);
        (self.kept.next_multiple_of(PAGE_BYTES) + self.owned.count() * PAGE_BYTES).min(whole)
    }

    /// Gives bytes from `at` on to `sink`, as far as they are alike.
    pub(super) fn read(&self, at: u64, sink: &mut dyn Sink) -> Piece {
        let left = self.length.saturating_sub(at);
        let most = left.min(sink.room() as u64) as usize;
        let page = self.owned.get(at / PAGE_BYTES).get((at % PAGE_BYTES) as usize..).unwrap_or_default();
        if !page.is_empty() {
            return Piece::Moved(sink.put(page.get(..most).unwrap_or(page)));
        }
        let next = self.owned.next(at / PAGE_BYTES).map_or(u64::MAX, |number| number * PAGE_BYTES);
        if at < self.kept {
            return Piece::Below(self.kept.min(next) - at);
        }
        Piece::Moved(sink.put_zeros(most.min(usize::try_from(next - at).unwrap_or(most))))
    }

    /// A page that has to come from below before the bytes from `start` to `end` are changed: only the first and the
    /// last can, because all others are changed as a whole.
    pub(super) fn lacking(&self, start: u64, end: u64) -> Option<u64> {
        let lacks = |at: u64| {
            let first = at / PAGE_BYTES * PAGE_BYTES;
            let is_whole = start <= first && end >= (first + PAGE_BYTES).min(self.length);
            !is_whole && first < self.kept && self.owned.get(at / PAGE_BYTES).is_empty()
        };
        if start >= end {
            return None;
        }
        [start, end - 1].into_iter().find(|&at| lacks(at)).map(|at| at / PAGE_BYTES)
    }

    /// A page as it is below, unless there is one by now.
    pub(super) fn bring(&mut self, number: u64, mut page: Vec<u8>) {
        let kept = self.kept.saturating_sub(number * PAGE_BYTES);
        if kept > 0 && self.owned.get(number).is_empty() {
            if let Some(behind) = page.get_mut(kept as usize..) {
                behind.fill(0);
            }
            self.owned.insert(number, page);
        }
    }

    /// Takes bytes from `source` and puts them from `start` on; answers how many, and the position behind them. No page
    /// is [`Pages::lacking`].
    pub(super) fn write(
        &mut self,
        start: u64,
        source: &mut dyn Source,
        surroundings: &dyn Surroundings,
    ) -> Result<(usize, u64), FileError> {
        if source.left() == 0 {
            return Ok((0, start));
        }
        if start >= MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        let mut at = start;
        while source.left() > 0 && at < MOST_BYTES {
            let inside = (at % PAGE_BYTES) as usize;
            let end = PAGE.min(inside + source.left().min((MOST_BYTES - at) as usize));
            let count = match self.fill(at / PAGE_BYTES, inside..end, source, surroundings) {
                Err(error) if at == start => return Err(error),
                count => count.unwrap_or(0),
            };
            at += count as u64;
            if count < end - inside {
                break;
            }
        }
        self.length = self.length.max(at);
        Ok(((at - start) as usize, at))
    }

    /// Fills part of one page.
    fn fill(
        &mut self,
        number: u64,
        range: core::ops::Range<usize>,
        source: &mut dyn Source,
        surroundings: &dyn Surroundings,
    ) -> Result<usize, FileError> {
        if let Some(page) = self.owned.get_mut(number).filter(|page| !page.is_empty()) {
            return Ok(source.take(&mut page[range]));
        }
        let mut page = blank(surroundings)?;
        let count = source.take(&mut page[range.clone()]);
        if count < range.len() && number * PAGE_BYTES < self.kept {
            // The transfer failed, and the rest of the page is below: none of it is written.
            source.give_back(count);
            return Ok(0);
        }
        if count > 0 {
            self.owned.insert(number, page);
        }
        Ok(count)
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&mut self, length: u64) -> Result<(), FileError> {
        if length > MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        if length < self.length {
            self.kept = self.kept.min(length);
            self.owned.cut(length.div_ceil(PAGE_BYTES));
            self.clear(length, length.next_multiple_of(PAGE_BYTES));
        }
        self.length = length;
        Ok(())
    }

    /// Makes the bytes from `start` to `end` zeros, which is not behind the last one. No page is [`Pages::lacking`].
    pub(super) fn erase(&mut self, start: u64, end: u64, surroundings: &dyn Surroundings) -> Result<(), FileError> {
        if start < end && end >= self.kept {
            self.kept = self.kept.min(start);
        }
        let mut at = start;
        while at < end {
            let number = at / PAGE_BYTES;
            let stop = ((number + 1) * PAGE_BYTES).min(end);
            let is_below = number * PAGE_BYTES < self.kept;
            if is_below && self.owned.get(number).is_empty() {
                // Nothing says so but a page of zeros; the first and the last one are there.
                self.owned.insert(number, blank(surroundings)?);
            } else if is_below || stop - at < PAGE_BYTES {
                self.clear(at, stop);
            } else {
                self.owned.remove(number);
                // A hole is a hole already: go on at the next page there is.
                at = self.owned.next(number).map_or(end, |next| next * PAGE_BYTES);
                continue;
            }
            at = stop;
        }
        Ok(())
    }

    /// Makes bytes of one owned page zeros, if it is there.
    fn clear(&mut self, start: u64, end: u64) {
        let inside = (start % PAGE_BYTES) as usize;
        let page = self.owned.get_mut(start / PAGE_BYTES);
        if let Some(bytes) = page.and_then(|page| page.get_mut(inside..inside + (end - start) as usize)) {
            bytes.fill(0);
        }
    }
}
