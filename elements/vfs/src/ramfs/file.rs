//! Regular files.

use alloc::sync::Arc;
use core::ops::Range;

use ::pages::Page;
use sync::{Alone, Mutex};

use super::{
    Shared,
    base::{Base, by_base},
    pages::{Gone, MOST_BYTES, PAGE, Pages, Piece},
};
use crate::{
    Change, FileError, FilePages, InPlace, Kind, Mappings, Metadata, Moved, Node, ShortSink, ShortSource, Sink, Source,
    run_of,
};

/// A file with contents.
pub struct File {
    pub(super) base: Base,
    pub(super) pages: Mutex<Pages>,
    /// Held by whoever changes contents. It may wait for a program's memory; `pages` never does.
    pub(super) changing: Mutex<()>,
    mappings: Mappings,
}

impl File {
    /// A file whose contents are `bytes`, at `offset` of the archive.
    pub(super) fn archived(base: Base, bytes: &'static [u8], offset: usize) -> Self {
        let pages = Mutex::new(Pages::archived(bytes, offset));
        Self { base, pages, changing: Mutex::new(()), mappings: Mappings::new() }
    }

    /// Gives it other contents, which stand in the archive.
    pub(super) fn fill(&self, bytes: &'static [u8], offset: usize) {
        *self.pages.lock() = Pages::archived(bytes, offset);
    }

    fn write(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let _changing = self.changing.lock();
        let offset = offset.unwrap_or_else(|| self.pages.lock().length());
        if source.left() == 0 {
            return Ok((0, offset));
        }
        if offset >= MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        let mut at = offset;
        while source.left() > 0 && at < MOST_BYTES {
            let inside = (at % PAGE as u64) as usize;
            let end = PAGE.min(inside + source.left().min((MOST_BYTES - at) as usize));
            let owned = self.pages.lock().own(at / PAGE as u64, self.shared().surroundings);
            let page = match owned {
                Ok(page) => page,
                Err(error) if at == offset => return Err(error),
                Err(_) => break,
            };
            let count = page.change(|bytes| source.take(&mut bytes[inside..end]));
            at += count as u64;
            self.pages.lock().extend(at);
            if count < end - inside {
                break;
            }
        }
        self.base.touch();
        Ok(((at - offset) as usize, at))
    }

    #[inline(always)]
    fn metadata_while(&self, alone: Alone) -> Option<Metadata> {
        let (size, occupied) = {
            let pages = self.pages.try_lock_while(alone)?;
            (pages.length(), pages.occupied())
        };
        let metadata = self.base.metadata_while(alone, Kind::Regular)?;
        Some(Metadata { size, occupied, ..metadata })
    }

    #[cold]
    #[inline(never)]
    fn metadata_among_others(&self) -> Metadata {
        let mut metadata = self.base.metadata(Kind::Regular);
        let pages = self.pages.lock_in_line();
        metadata.size = pages.length();
        metadata.occupied = pages.occupied();
        metadata
    }

    /// See [`Node::read_short`]: where there are other processors, or holes. Apart, so that the short way of one
    /// processor alone saves no registers for waiting.
    #[cold]
    #[inline(never)]
    fn read_among_others(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        let pages = self.pages.lock_in_line();
        let (page, inside) = pages.whole(offset, count)?;
        page.with_in_line(|bytes| sink.put(bytes.get(inside..inside + count)?))
    }

    /// The same of [`Node::write_short`].
    #[cold]
    #[inline(never)]
    fn write_among_others(&self, offset: u64, count: usize, source: ShortSource) -> Moved {
        let _changing = self.changing.lock_in_line();
        let pages = self.pages.lock_in_line();
        let (page, inside) = pages.whole(offset, count)?;
        let moved = page.change_in_line(|bytes| source.fill(bytes.get_mut(inside..inside + count)?))?;
        drop(pages);
        self.base.touch();
        Some(moved)
    }

    /// Changes contents in a way that gives pages up; `pages` are those that may not be shown any more.
    fn give_up(
        &self,
        pages: Range<u64>,
        change: impl FnOnce(&mut Pages, &mut Gone) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let _changing = self.changing.lock();
        let mut gone = Gone::new();
        change(&mut self.pages.lock(), &mut gone)?;
        if !gone.is_empty() {
            self.mappings.forget(pages);
        }
        self.base.touch();
        Ok(())
    }

    pub(super) const fn shared(&self) -> &Arc<Shared> {
        &self.base.shared
    }
}

impl Node for File {
    fn kind(&self) -> Kind {
        Kind::Regular
    }

    fn metadata(&self) -> Metadata {
        if let Some(alone) = Alone::now()
            && let Some(metadata) = self.metadata_while(alone)
        {
            return metadata;
        }
        self.metadata_among_others()
    }

    fn change(&self, change: &Change) -> Result<(), FileError> {
        self.base.change(change);
        Ok(())
    }

    by_base!();

    fn has_short_ways(&self) -> bool {
        true
    }

    fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        if self.base.is_unread() {
            return None;
        }
        let Some(alone) = Alone::now() else {
            return self.read_among_others(offset, count, sink);
        };
        let pages = self.pages.try_lock_while(alone)?;
        let Some((page, inside)) = pages.whole_in_line(offset, count) else {
            drop(pages);
            return self.read_among_others(offset, count, sink);
        };
        page.with_alone(alone, |bytes| sink.put(bytes.get(inside..inside + count)?))
    }

    fn write_short(&self, offset: u64, count: usize, source: ShortSource) -> Moved {
        let Some(alone) = Alone::now() else {
            return self.write_among_others(offset, count, source);
        };
        let _changing = self.changing.try_lock_while(alone)?;
        let pages = self.pages.try_lock_while(alone)?;
        let (page, inside) = pages.whole_in_line(offset, count)?;
        let moved = page.change_alone(alone, |bytes| source.fill(bytes.get_mut(inside..inside + count)?))?;
        drop(pages);
        self.base.touch();
        Some(moved)
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if self.base.is_unread() && sink.room() > 0 && !sink.is_quiet() {
            self.base.note_read();
        }
        let mut at = offset;
        while sink.room() > 0 {
            let piece = self.pages.lock().piece(at, sink.room());
            let count = match piece {
                None => break,
                Some(Piece::Owned(page, part)) => page.with(|bytes| sink.put(&bytes[part])),
                Some(Piece::Archived(bytes)) => sink.put(bytes),
                Some(Piece::Hole(length)) => sink.put_zeros(length),
            };
            at += count as u64;
            if count == 0 {
                break;
            }
        }
        Ok((at - offset) as usize)
    }

    fn note_read(&self) {
        self.base.read();
    }

    fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        Ok(self.write(Some(offset), source)?.0)
    }

    fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.write(None, source)
    }

    fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.give_up(length.div_ceil(PAGE as u64)..u64::MAX, |pages, gone| pages.set_length(length, gone))
    }

    fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        let surroundings = self.shared().surroundings;
        let pages = offset.div_ceil(PAGE as u64)..offset.saturating_add(length) / PAGE as u64;
        self.give_up(pages, |pages, gone| pages.erase(offset, length, surroundings, gone))
    }

    fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        self.pages.lock().next_part(offset, hole)
    }

    fn in_place(&self) -> Option<InPlace> {
        self.pages.lock().in_place()
    }

    fn pages(&self) -> Option<&dyn FilePages> {
        Some(self)
    }
}

impl FilePages for File {
    fn page(&self, number: u64, write: bool) -> Result<Arc<Page>, FileError> {
        self.page_here(number, write)?.ok_or(FileError::Failed)
    }

    fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, FileError> {
        let page = {
            let mut pages = self.pages.lock();
            if number >= pages.length().div_ceil(PAGE as u64) {
                return Err(FileError::NotFound);
            }
            // Shown pages are the file's own, so that none has to be taken back when it is written to.
            pages.own(number, self.shared().surroundings)?
        };
        if write {
            self.base.touch();
        }
        Ok(Some(page))
    }

    fn run(&self, number: u64, address: usize, most: usize) -> usize {
        let pages = self.pages.lock();
        let numbers = number..pages.length().div_ceil(PAGE as u64);
        run_of(numbers.take(most).map(|number| pages.owned(number).map(|page| page.address())), address)
    }

    fn mappings(&self) -> &Mappings {
        &self.mappings
    }
}
