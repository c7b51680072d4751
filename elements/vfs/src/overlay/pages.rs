//! The pages of a file that are not as below.
//!
//! Nothing here touches a program's memory, or asks below: whoever copies gets a page, lets go of the lock, and then
//! copies.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use ::pages::Page;

use crate::{
    FileError,
    ramfs::{Surroundings, owned::Owned},
};

/// Bytes of a page.
pub(super) const PAGE: usize = ::pages::SIZE;
pub(super) const PAGE_BYTES: u64 = PAGE as u64;

/// Longest file, as Linux' loff_t has it.
pub(super) const MOST_BYTES: u64 = i64::MAX as u64;

#[derive(Default)]
pub(super) struct Pages {
    length: u64,
    /// So many bytes are as below, where no page says something else. Never more than the length.
    kept: u64,
    owned: Owned,
}

/// Contents that lie together.
pub(super) enum Piece {
    /// Part of a page.
    Owned(Arc<Page>, Range<usize>),
    /// So many zeros.
    Hole(usize),
    /// At most so many are below.
    Below(u64),
}

/// What a file has for a page.
pub(super) enum Has {
    /// This page.
    Page(Arc<Page>),
    /// At least one byte that is below.
    Below,
    /// Zeros.
    Zeros,
    /// Nothing: it is behind the end.
    Nothing,
}

/// Pages that a file has given up. They must outlive the moment in which nobody is shown them any more.
pub(super) type Gone = Vec<Arc<Page>>;

/// A page that begins with `bytes`, of zeros behind them.
pub(super) fn filled(bytes: &[u8], surroundings: &dyn Surroundings) -> Result<Arc<Page>, FileError> {
    if !surroundings.has_room(PAGE) {
        return Err(FileError::NoSpace);
    }
    let page = Page::filled(surroundings.pages(), |page| {
        page[..bytes.len()].copy_from_slice(bytes);
        page[bytes.len()..].fill(0);
    });
    page.ok_or(FileError::NoSpace)
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

    /// The file has at least so many bytes from now on.
    pub(super) fn extend(&mut self, length: u64) {
        self.length = self.length.max(length);
    }

    /// Whether anything is left of what is below.
    pub(super) const fn has_below(&self) -> bool {
        self.kept > 0
    }

    /// See [`crate::Node::next_part`]; what is below counts as one whole.
    pub(super) fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        self.owned.next_part(offset, hole, self.kept, self.length)
    }

    /// Bytes of memory, and of what is below.
    pub(super) fn occupied(&self) -> u64 {
        let whole = self.length.next_multiple_of(PAGE_BYTES);
        (self.kept.next_multiple_of(PAGE_BYTES) + self.owned.count() * PAGE_BYTES).min(whole)
    }

    /// What lies at `offset`, at most `most` bytes of it; `None` at the end.
    pub(super) fn piece(&self, offset: u64, most: usize) -> Option<Piece> {
        let left = self.length.checked_sub(offset).filter(|&left| left > 0)?;
        let most = most.min(usize::try_from(left).unwrap_or(usize::MAX));
        if let Some(page) = self.owned.get(offset / PAGE_BYTES) {
            let inside = (offset % PAGE_BYTES) as usize;
            return Some(Piece::Owned(page.clone(), inside..PAGE.min(inside.saturating_add(most))));
        }
        let next = self.owned.next(offset / PAGE_BYTES).map_or(u64::MAX, |number| number * PAGE_BYTES);
        if offset < self.kept {
            return Some(Piece::Below(self.kept.min(next) - offset));
        }
        Some(Piece::Hole(most.min(usize::try_from(next - offset).unwrap_or(most))))
    }

    /// The page of the file's own that has all of `count` bytes from `offset` on, and where in it they begin.
    #[inline(always)]
    pub(super) fn whole(&self, offset: u64, count: usize) -> Option<(&Page, usize)> {
        self.owned.whole(offset, count, self.length)
    }

    pub(super) fn has(&self, number: u64) -> Has {
        match self.owned.get(number) {
            _ if number >= self.length.div_ceil(PAGE_BYTES) => Has::Nothing,
            Some(page) => Has::Page(page.clone()),
            None if number * PAGE_BYTES < self.kept => Has::Below,
            None => Has::Zeros,
        }
    }

    /// Whether all bytes of that page are as below, unless there is one.
    pub(super) const fn keeps_all_of(&self, number: u64) -> bool {
        number < self.kept / PAGE_BYTES
    }

    /// A page that has to come from below before the bytes from `start` to `end` are changed: only the first and the
    /// last can, because all others are changed as a whole.
    pub(super) fn lacking(&self, start: u64, end: u64) -> Option<u64> {
        let lacks = |at: u64| {
            let first = at / PAGE_BYTES * PAGE_BYTES;
            let is_whole = start <= first && end >= (first + PAGE_BYTES).min(self.length);
            !is_whole && first < self.kept && self.owned.get(at / PAGE_BYTES).is_none()
        };
        if start >= end {
            return None;
        }
        [start, end - 1].into_iter().find(|&at| lacks(at)).map(|at| at / PAGE_BYTES)
    }

    /// Takes a page as it is below, unless there is one by now, or nothing of it is left.
    pub(super) fn bring(&mut self, number: u64, page: &Arc<Page>) {
        let kept = self.kept.saturating_sub(number * PAGE_BYTES);
        if kept > 0 && self.owned.get(number).is_none() {
            page.change(|bytes| bytes.iter_mut().skip(kept as usize).for_each(|byte| *byte = 0));
            self.owned.insert(number, page.clone());
        }
    }

    /// The page of that number to be changed, if there is one or it is not below.
    pub(super) fn own(&mut self, number: u64, surroundings: &dyn Surroundings) -> Result<Option<Arc<Page>>, FileError> {
        if let Some(page) = self.owned.get(number) {
            return Ok(Some(page.clone()));
        }
        if number * PAGE_BYTES < self.kept {
            return Ok(None);
        }
        let page = filled(&[], surroundings)?;
        self.owned.insert(number, page.clone());
        Ok(Some(page))
    }

    /// `page` is what the file has from now on; one that came meanwhile becomes as it is.
    pub(super) fn put(&mut self, number: u64, page: Arc<Page>) {
        match self.owned.get(number) {
            Some(present) => page.with(|from| present.change(|to| to.copy_from_slice(from))),
            None => self.owned.insert(number, page),
        }
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&mut self, length: u64, gone: &mut Gone) -> Result<(), FileError> {
        if length > MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        if length < self.length {
            self.kept = self.kept.min(length);
            self.owned.cut(length.div_ceil(PAGE_BYTES), gone);
            self.clear(length, length.next_multiple_of(PAGE_BYTES));
        }
        self.length = length;
        Ok(())
    }

    /// Makes the bytes from `start` to `end` zeros, which is not behind the last one. No page is [`Pages::lacking`].
    pub(super) fn erase(
        &mut self,
        start: u64,
        end: u64,
        surroundings: &dyn Surroundings,
        gone: &mut Gone,
    ) -> Result<(), FileError> {
        if start < end && end >= self.kept {
            self.kept = self.kept.min(start);
        }
        let mut at = start;
        while at < end {
            let number = at / PAGE_BYTES;
            let stop = ((number + 1) * PAGE_BYTES).min(end);
            let is_below = number * PAGE_BYTES < self.kept;
            if is_below && self.owned.get(number).is_none() {
                // Nothing says so but a page of zeros; the first and the last one are there.
                self.owned.insert(number, filled(&[], surroundings)?);
            } else if is_below || stop - at < PAGE_BYTES {
                self.clear(at, stop);
            } else {
                gone.extend(self.owned.remove(number));
                // A hole is a hole already: go on at the next page there is.
                at = self.owned.next(number).map_or(end, |next| next * PAGE_BYTES);
                continue;
            }
            at = stop;
        }
        Ok(())
    }

    /// Makes bytes of one owned page zeros, if it is there.
    fn clear(&self, start: u64, end: u64) {
        let inside = (start % PAGE_BYTES) as usize;
        if let Some(page) = self.owned.get(start / PAGE_BYTES) {
            page.change(|bytes| bytes[inside..inside + (end - start) as usize].fill(0));
        }
    }
}
