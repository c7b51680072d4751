//! A file's contents: what lies in the archive, the pages written since, and holes.

use super::{
    Surroundings,
    owned::{Owned, Page},
};
use crate::{FileError, InPlace, Sink, Source};

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;
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

    pub(super) fn in_place(&self) -> Option<InPlace> {
        self.place.map(|offset| InPlace { offset, length: self.archived.len() })
    }

    /// Bytes of memory, the archive's included.
    pub(super) fn occupied(&self) -> u64 {
        let whole = self.length.next_multiple_of(PAGE_BYTES);
        let archived = (self.archived.len() as u64).next_multiple_of(PAGE_BYTES);
        (archived + self.owned.count() * PAGE_BYTES).min(whole)
    }

    /// Gives bytes from `offset` on to `sink`.
    pub(super) fn read(&self, offset: u64, sink: &mut dyn Sink) -> usize {
        let mut at = offset;
        while at < self.length && sink.room() > 0 {
            let piece = (self.length - at).min(sink.room() as u64) as usize;
            let rest = self.owned.get(at / PAGE_BYTES).get((at % PAGE_BYTES) as usize..).unwrap_or_default();
            let count = if rest.is_empty() { self.read_unowned(at, piece, sink) } else { sink.put(first(rest, piece)) };
            at += count as u64;
            if count == 0 {
                break;
            }
        }
        (at - offset) as usize
    }

    /// Gives at most `piece` bytes, from the archive or a hole, up to the next owned page.
    fn read_unowned(&self, at: u64, piece: usize, sink: &mut dyn Sink) -> usize {
        let next = self.owned.next(at / PAGE_BYTES);
        let piece = next.map_or(piece, |number| piece.min((number * PAGE_BYTES - at) as usize));
        match self.archived_from(at) {
            [] => sink.put_zeros(piece),
            rest => sink.put(first(rest, piece)),
        }
    }

    fn archived_from(&self, at: u64) -> &'static [u8] {
        usize::try_from(at).ok().and_then(|start| self.archived.get(start..)).unwrap_or_default()
    }

    /// Takes bytes from `source` and puts them from `offset` on, or behind the last byte; answers how many, and the
    /// position behind them.
    pub(super) fn write(
        &mut self,
        offset: Option<u64>,
        source: &mut dyn Source,
        surroundings: &dyn Surroundings,
    ) -> Result<(usize, u64), FileError> {
        let offset = offset.unwrap_or(self.length);
        if source.left() == 0 {
            return Ok((0, offset));
        }
        if offset >= MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        let mut at = offset;
        while source.left() > 0 && at < MOST_BYTES {
            let inside = (at % PAGE_BYTES) as usize;
            let end = PAGE.min(inside + source.left().min((MOST_BYTES - at) as usize));
            let page = match self.own(at / PAGE_BYTES, surroundings) {
                Ok(page) => page,
                Err(error) if at == offset => return Err(error),
                Err(_) => break,
            };
            let count = source.take(&mut page[inside..end]);
            at += count as u64;
            if count < end - inside {
                break;
            }
        }
        self.place = None;
        self.length = self.length.max(at);
        Ok(((at - offset) as usize, at))
    }

    /// The owned page of that number, copied or made if there is none.
    fn own(&mut self, number: u64, surroundings: &dyn Surroundings) -> Result<&mut Page, FileError> {
        if self.owned.get(number).is_empty() {
            let mut page = Page::new();
            if !surroundings.has_room(PAGE) || page.try_reserve_exact(PAGE).is_err() {
                return Err(FileError::NoSpace);
            }
            page.extend_from_slice(first(self.archived_from(number.saturating_mul(PAGE_BYTES)), PAGE));
            page.resize(PAGE, 0);
            self.owned.insert(number, page);
        }
        self.owned.get_mut(number).ok_or(FileError::NoSpace)
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&mut self, length: u64) -> Result<(), FileError> {
        if length > MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        if length < self.length {
            let kept = usize::try_from(length).map_or(self.archived.len(), |kept| kept.min(self.archived.len()));
            self.archived = &self.archived[..kept];
            self.owned.cut(length.div_ceil(PAGE_BYTES));
            self.clear(length, length.next_multiple_of(PAGE_BYTES));
        }
        self.place = None;
        self.length = length;
        Ok(())
    }

    /// Makes bytes inside the file zeros; whole pages are given back.
    pub(super) fn erase(&mut self, offset: u64, length: u64, surroundings: &dyn Surroundings) -> Result<(), FileError> {
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
                self.owned.remove(number);
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
    fn clear(&mut self, start: u64, end: u64) {
        let inside = (start % PAGE_BYTES) as usize;
        let page = self.owned.get_mut(start / PAGE_BYTES);
        if let Some(bytes) = page.and_then(|page| page.get_mut(inside..inside + (end - start) as usize)) {
            bytes.fill(0);
        }
    }
}

/// The first bytes of `bytes`, at most so many.
fn first(bytes: &[u8], most: usize) -> &[u8] {
    bytes.get(..most).unwrap_or(bytes)
}
