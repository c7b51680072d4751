//! A file's contents: what lies in the archive, the pages written since, and holes.
//!
//! Nothing here touches a program's memory: whoever copies gets a page, lets go of the lock, and then copies, because a
//! program may read a file into a mapping of the same file.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use ::pages::Page;

use super::{Surroundings, owned::Owned};
use crate::{FileError, InPlace};

/// Bytes of a page.
pub(super) const PAGE: usize = ::pages::SIZE;
const PAGE_BYTES: u64 = PAGE as u64;

/// Longest file, as Linux' loff_t has it.
pub(super) const MOST_BYTES: u64 = i64::MAX as u64;

#[derive(Default)]
pub(super) struct Pages {
    length: u64,
    /// First contents; bytes behind it are zeros. Shrinks when the file is cut.
    archived: &'static [u8],
    /// Pages that belong to this file, by number; they hide what is archived.
    owned: Owned,
    /// Where the first contents begin in the archive, as long as nothing has changed.
    place: Option<usize>,
}

/// Contents that lie together.
pub(super) enum Piece {
    /// Part of a page.
    Owned(Arc<Page>, Range<usize>),
    /// Bytes of the archive.
    Archived(&'static [u8]),
    /// So many zeros.
    Hole(usize),
}

/// The same, of which nothing is held.
pub(super) enum Seen<'a> {
    /// See [`Piece::Owned`].
    Owned(&'a Arc<Page>, Range<usize>),
    /// See [`Piece::Archived`].
    Archived(&'static [u8]),
    /// See [`Piece::Hole`].
    Hole(usize),
}

/// Pages that a file has given up. They must outlive the moment in which nobody is shown them any more.
pub(super) type Gone = Vec<Arc<Page>>;

impl Pages {
    /// The contents `bytes`, which begin at `offset` of the archive.
    pub(super) fn archived(bytes: &'static [u8], offset: usize) -> Self {
        let is_mappable = !bytes.is_empty() && offset.is_multiple_of(PAGE);
        let place = is_mappable.then_some(offset);
        Self { length: bytes.len() as u64, archived: bytes, place, ..Self::default() }
    }

    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The file has at least so many bytes from now on.
    pub(super) fn extend(&mut self, length: u64) {
        self.length = self.length.max(length);
    }

    pub(super) fn in_place(&self) -> Option<InPlace> {
        self.place.map(|offset| InPlace { offset, length: self.archived.len() })
    }

    /// See [`crate::Node::next_part`].
    pub(super) fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        self.owned.next_part(offset, hole, self.archived.len() as u64, self.length)
    }

    /// Bytes of memory, the archive's included.
    pub(super) fn occupied(&self) -> u64 {
        let whole = self.length.next_multiple_of(PAGE_BYTES);
        let archived = (self.archived.len() as u64).next_multiple_of(PAGE_BYTES);
        (archived + self.owned.count() * PAGE_BYTES).min(whole)
    }

    /// What lies at `offset`, at most `most` bytes of it; `None` at the end.
    pub(super) fn piece(&self, offset: u64, most: usize) -> Option<Piece> {
        Some(match self.look(offset, most)? {
            Seen::Owned(page, part) => Piece::Owned(page.clone(), part),
            Seen::Archived(bytes) => Piece::Archived(bytes),
            Seen::Hole(length) => Piece::Hole(length),
        })
    }

    /// As [`Pages::piece`], for one who copies before letting go of the lock.
    #[inline]
    pub(super) fn look(&self, offset: u64, most: usize) -> Option<Seen<'_>> {
        let left = self.length.checked_sub(offset).filter(|&left| left > 0)?;
        let most = most.min(usize::try_from(left).unwrap_or(usize::MAX));
        if let Some(page) = self.owned.get(offset / PAGE_BYTES) {
            let inside = (offset % PAGE_BYTES) as usize;
            return Some(Seen::Owned(page, inside..PAGE.min(inside.saturating_add(most))));
        }
        let next = self.owned.next(offset / PAGE_BYTES);
        let most = next.map_or(most, |number| most.min((number * PAGE_BYTES - offset) as usize));
        Some(match self.archived_from(offset) {
            [] => Seen::Hole(most),
            rest => Seen::Archived(first(rest, most)),
        })
    }

    /// The page of the file's own that has all of `count` bytes from `offset` on, and where in it they begin.
    pub(super) fn whole(&self, offset: u64, count: usize) -> Option<(&Page, usize)> {
        self.owned.whole(offset, count, self.length)
    }

    /// The same without a call, but only where there are no holes before it.
    #[inline(always)]
    pub(super) fn whole_in_line(&self, offset: u64, count: usize) -> Option<(&Page, usize)> {
        self.owned.whole_in_line(offset, count, self.length)
    }

    fn archived_from(&self, at: u64) -> &'static [u8] {
        usize::try_from(at).ok().and_then(|start| self.archived.get(start..)).unwrap_or_default()
    }

    /// The page of that number to be changed, copied or made if the file has none of its own.
    #[inline]
    pub(super) fn own(&mut self, number: u64, surroundings: &dyn Surroundings) -> Result<Arc<Page>, FileError> {
        self.place = None;
        match self.owned.get(number) {
            Some(page) => Ok(page.clone()),
            None => self.make(number, surroundings),
        }
    }

    /// The page of that number, if the file has one of its own.
    #[inline]
    pub(super) fn owned(&self, number: u64) -> Option<&Arc<Page>> {
        self.owned.get(number)
    }

    #[cold]
    fn make(&mut self, number: u64, surroundings: &dyn Surroundings) -> Result<Arc<Page>, FileError> {
        if !surroundings.has_room(PAGE) {
            return Err(FileError::NoSpace);
        }
        let bytes = first(self.archived_from(number.saturating_mul(PAGE_BYTES)), PAGE);
        let page = Page::filled(surroundings.pages(), |page| {
            page[..bytes.len()].copy_from_slice(bytes);
            page[bytes.len()..].fill(0);
        });
        let page = page.ok_or(FileError::NoSpace)?;
        self.owned.insert(number, page.clone());
        Ok(page)
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&mut self, length: u64, gone: &mut Gone) -> Result<(), FileError> {
        if length > MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        if length < self.length {
            let kept = usize::try_from(length).map_or(self.archived.len(), |kept| kept.min(self.archived.len()));
            self.archived = &self.archived[..kept];
            self.owned.cut(length.div_ceil(PAGE_BYTES), gone);
            self.clear(length, length.next_multiple_of(PAGE_BYTES));
        }
        self.place = None;
        self.length = length;
        Ok(())
    }

    /// Makes bytes inside the file zeros; whole pages are given up.
    pub(super) fn erase(
        &mut self,
        offset: u64,
        length: u64,
        surroundings: &dyn Surroundings,
        gone: &mut Gone,
    ) -> Result<(), FileError> {
        let end = offset.saturating_add(length).min(self.length);
        self.place = None;
        let mut at = offset;
        while at < end {
            let number = at / PAGE_BYTES;
            let stop = ((number + 1) * PAGE_BYTES).min(end);
            if number * PAGE_BYTES < self.archived.len() as u64 {
                self.own(number, surroundings)?;
                self.clear(at, stop);
                at = stop;
            } else if stop - at == PAGE_BYTES {
                gone.extend(self.owned.remove(number));
                // A hole is a hole already: go on at the next page there is.
                at = self.owned.next(number).map_or(end, |next| next * PAGE_BYTES);
            } else {
                self.clear(at, stop);
                at = stop;
            }
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

/// The first bytes of `bytes`, at most so many.
fn first(bytes: &[u8], most: usize) -> &[u8] {
    bytes.get(..most).unwrap_or(bytes)
}
