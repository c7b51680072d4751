//! A file's contents: what lies in the archive, the pages written since, and holes.

use alloc::vec::Vec;

use super::owned::{Owned, Page};
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
            let piece = (self.length - at).min(sink.room() as u64);
            let count = match self.owned.get(at / PAGE_BYTES) {
                Some(page) => {
                    let inside = (at % PAGE_BYTES) as usize;
                    sink.put(&page[inside..PAGE.min(inside + piece as usize)])
                }
                None => self.read_unowned(at, piece, sink),
            };
            at += count as u64;
            if count == 0 {
                break;
            }
        }
        (at - offset) as usize
    }

    /// Gives at most `piece` bytes, from the archive or a hole, up to the next owned page.
    fn read_unowned(&self, at: u64, piece: u64, sink: &mut dyn Sink) -> usize {
        let next = self.owned.next(at / PAGE_BYTES);
        let piece = next.map_or(piece, |number| piece.min(number * PAGE_BYTES - at)) as usize;
        match usize::try_from(at).ok().and_then(|start| self.archived.get(start..)).filter(|rest| !rest.is_empty()) {
            Some(rest) => sink.put(&rest[..piece.min(rest.len())]),
            None => sink.put_zeros(piece),
        }
    }

    /// Takes bytes from `source` and puts them from `offset` on.
    pub(super) fn write(
        &mut self,
        offset: u64,
        source: &mut dyn Source,
        has_room: &dyn Fn(usize) -> bool,
    ) -> Result<usize, FileError> {
        if source.left() == 0 {
            return Ok(0);
        }
        if offset >= MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        let mut at = offset;
        while source.left() > 0 && at < MOST_BYTES {
            let inside = (at % PAGE_BYTES) as usize;
            let end = PAGE.min(inside + source.left()).min(inside + (MOST_BYTES - at) as usize);
            let page = match self.own(at / PAGE_BYTES, has_room) {
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
        Ok((at - offset) as usize)
    }

    /// The owned page of that number, copied or made if there is none.
    fn own(&mut self, number: u64, has_room: &dyn Fn(usize) -> bool) -> Result<&mut Page, FileError> {
        if self.owned.get(number).is_none() {
            let page = self.copy(number, has_room).ok_or(FileError::NoSpace)?;
            return Ok(self.owned.insert(number, page));
        }
        self.owned.get_mut(number).ok_or(FileError::NoSpace)
    }

    /// A new page with what is archived for that number.
    fn copy(&self, number: u64, has_room: &dyn Fn(usize) -> bool) -> Option<Page> {
        let mut page = Vec::new();
        if !has_room(PAGE) || page.try_reserve_exact(PAGE).is_err() {
            return None;
        }
        let start = number.checked_mul(PAGE_BYTES).and_then(|start| usize::try_from(start).ok());
        let old = start.and_then(|start| self.archived.get(start..)).unwrap_or_default();
        page.extend_from_slice(&old[..old.len().min(PAGE)]);
        page.resize(PAGE, 0);
        page.into_boxed_slice().try_into().ok()
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
            if let Some(last) = self.owned.get_mut(length / PAGE_BYTES) {
                last[(length % PAGE_BYTES) as usize..].fill(0);
            }
        }
        self.place = None;
        self.length = length;
        Ok(())
    }

    /// Makes bytes inside the file zeros; whole pages are given back.
    pub(super) fn erase(
        &mut self,
        offset: u64,
        length: u64,
        has_room: &dyn Fn(usize) -> bool,
    ) -> Result<(), FileError> {
        let end = offset.saturating_add(length).min(self.length);
        self.place = None;
        let mut at = offset;
        while at < end {
            let number = at / PAGE_BYTES;
            let page_end = ((number + 1) * PAGE_BYTES).min(end);
            let is_archived = number * PAGE_BYTES < self.archived.len() as u64;
            if is_archived {
                let inside = (at % PAGE_BYTES) as usize;
                self.own(number, has_room)?[inside..inside + (page_end - at) as usize].fill(0);
                at = page_end;
                continue;
            }
            // A hole is a hole already: go on at the next page there is.
            let Some(next) = self.owned.next(number) else { break };
            let start = (next * PAGE_BYTES).max(at);
            if start >= end {
                break;
            }
            let stop = ((next + 1) * PAGE_BYTES).min(end);
            if stop - start == PAGE_BYTES {
                self.owned.remove(next);
            } else if let Some(page) = self.owned.get_mut(next) {
                page[(start % PAGE_BYTES) as usize..(start % PAGE_BYTES + (stop - start)) as usize].fill(0);
            }
            at = stop;
        }
        Ok(())
    }
}
