//! A file's contents: what is below, the pages written since, and holes.
//!
//! Mappings are shown the pages of what is below as they are, where it has pages and the file keeps all of them, until
//! somebody is about to store into one. Whatever gives a page in its place has mappings forget it, once nobody finds it
//! any more, with `pages` let go of.

use alloc::sync::{Arc, Weak};
use core::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use ::pages::Page;
use sync::{Mutex, Once};

use super::pages::{Gone, Has, MOST_BYTES, PAGE, PAGE_BYTES, Pages, Piece, filled};
use crate::{
    FileError, FilePages, InPlace, Mappings, Moved, Node, ShortSink, ShortSource, Shows, Sink, SliceSink, Source,
    ramfs::Surroundings, run_of,
};

/// The contents of a file.
pub(super) struct Contents {
    surroundings: &'static dyn Surroundings,
    lower: Option<Arc<dyn Node>>,
    /// What reads from below, from the first time the file is opened.
    reader: Once<Arc<dyn Node>>,
    /// What is different; as below while there is nothing.
    pages: Mutex<Option<Pages>>,
    /// Held by whoever changes contents, but not while below is asked. It may wait for a program's memory; `pages`
    /// never does.
    changing: Mutex<()>,
    /// What is below knows that its pages may be shown as this file's.
    lent: AtomicBool,
    pub(super) mappings: Mappings,
}

impl Contents {
    fn with(surroundings: &'static dyn Surroundings, lower: Option<Arc<dyn Node>>, pages: Option<Pages>) -> Self {
        let (pages, changing, lent) = (Mutex::new(pages), Mutex::new(()), AtomicBool::new(false));
        Self { surroundings, lower, reader: Once::new(), pages, changing, lent, mappings: Mappings::new() }
    }

    /// None.
    pub(super) fn new(surroundings: &'static dyn Surroundings) -> Self {
        Self::with(surroundings, None, Some(Pages::default()))
    }

    /// Those of `lower`.
    pub(super) fn below(surroundings: &'static dyn Surroundings, lower: Arc<dyn Node>) -> Self {
        Self::with(surroundings, Some(lower), None)
    }

    /// From now on they have a length of their own; `size` bytes are below.
    pub(super) fn settle(&self, size: u64) {
        self.pages.lock().get_or_insert_with(|| Pages::below(size));
    }

    pub(super) fn is_settled(&self) -> bool {
        self.pages.lock().is_some()
    }

    /// Bytes, and bytes of memory, if they are settled.
    pub(super) fn size(&self) -> Option<(u64, u64)> {
        self.pages.lock().as_ref().map(|pages| (pages.length(), pages.occupied()))
    }

    /// See [`Node::next_part`].
    pub(super) fn next_part(&self, offset: u64, hole: bool) -> Option<u64> {
        match (&*self.pages.lock(), hole) {
            (Some(pages), _) => pages.next_part(offset, hole),
            (None, true) => None,
            (None, false) => Some(offset),
        }
    }

    pub(super) fn in_place(&self) -> Option<InPlace> {
        if self.is_settled() { None } else { self.lower.as_ref()?.in_place() }
    }

    /// A handle for private mappings, which do not see what is written later.
    pub(super) fn direct(&self) -> Option<u32> {
        if self.is_settled() { None } else { self.reader().ok()?.direct(false) }
    }

    /// Opens what is below, if anything of it is left.
    pub(super) fn open(&self) -> Result<(), FileError> {
        let needs_below = self.pages.lock().as_ref().is_none_or(Pages::has_below);
        if needs_below { self.reader().map(drop) } else { Ok(()) }
    }

    fn reader(&self) -> Result<&Arc<dyn Node>, FileError> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader);
        }
        let lower = self.lower.as_ref().ok_or(FileError::Failed)?;
        let opened = lower.open(true, false)?;
        // If two come at once, one of the two is used.
        Ok(self.reader.call_once(|| opened.unwrap_or_else(|| lower.clone())))
    }

    /// See [`Node::read_short`].
    #[inline(always)]
    pub(super) fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        let pages = self.pages.lock_in_line();
        let (page, inside) = pages.as_ref()?.whole(offset, count)?;
        page.with_in_line(|bytes| sink.put(bytes.get(inside..inside + count)?))
    }

    /// See [`Node::write_short`].
    #[inline(always)]
    pub(super) fn write_short(&self, offset: u64, count: usize, source: ShortSource) -> Moved {
        let _changing = self.changing.lock_in_line();
        let pages = self.pages.lock_in_line();
        let (page, inside) = pages.as_ref()?.whole(offset, count)?;
        page.change_in_line(|bytes| source.fill(bytes.get_mut(inside..inside + count)?))
    }

    /// Gives bytes from `offset` on to `sink`.
    pub(super) fn read(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut at = offset;
        while sink.room() > 0 {
            let piece = match &*self.pages.lock() {
                Some(pages) => pages.piece(at, sink.room()),
                None => Some(Piece::Below(u64::MAX)),
            };
            let count = match piece {
                None => break,
                Some(Piece::Owned(page, part)) => Ok(page.with(|bytes| sink.put(&bytes[part]))),
                Some(Piece::Hole(length)) => Ok(sink.put_zeros(length)),
                Some(Piece::Below(most)) => self.read_below(at, most, sink),
            };
            match count {
                Ok(0) => break,
                Ok(count) => at = at.saturating_add(count as u64),
                Err(error) if at == offset => return Err(error),
                Err(_) => break,
            }
        }
        Ok((at - offset) as usize)
    }

    /// Gives at most `most` bytes from below. Where that has become shorter than this file it is zeros.
    fn read_below(&self, at: u64, most: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut part = Part { sink, left: most };
        let count = self.reader()?.read_at(at, &mut part)?;
        let ends_here = count == 0 && !self.is_settled();
        if count > 0 || ends_here { Ok(count) } else { Ok(part.sink.put_zeros(part.left.min(PAGE))) }
    }

    /// Takes bytes from `source` and puts them from `offset` on, or behind the last byte; answers how many, and the
    /// position behind them. For contents that are settled, as all that follows.
    pub(super) fn write(&self, offset: Option<u64>, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        loop {
            let changing = self.changing.lock();
            let (start, lacking) = {
                let mut pages = self.pages.lock();
                let pages = pages.get_or_insert_default();
                let start = offset.unwrap_or_else(|| pages.length());
                (start, pages.lacking(start, start.saturating_add(source.left() as u64).min(MOST_BYTES)))
            };
            match lacking {
                None => return self.write_at(start, source),
                Some(number) => {
                    drop(changing);
                    self.bring(number)?;
                }
            }
        }
    }

    /// Writes where no page is lacking.
    fn write_at(&self, start: u64, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
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
            let count = match self.fill(at / PAGE_BYTES, inside..end, source) {
                Err(error) if at == start => return Err(error),
                count => count.unwrap_or(0),
            };
            at += count as u64;
            self.pages.lock().get_or_insert_default().extend(at);
            if count < end - inside {
                break;
            }
        }
        Ok(((at - start) as usize, at))
    }

    /// Fills part of one page.
    fn fill(&self, number: u64, range: Range<usize>, source: &mut dyn Source) -> Result<usize, FileError> {
        let owned = self.pages.lock().get_or_insert_default().own(number, self.surroundings)?;
        if let Some(page) = owned {
            return Ok(page.change(|bytes| source.take(&mut bytes[range])));
        }
        // It is below, and goes as a whole; until then nobody is to see another one.
        let page = filled(&[], self.surroundings)?;
        let count = page.change(|bytes| source.take(&mut bytes[range.clone()]));
        if count < range.len() {
            // The transfer failed, and the rest of the page is below: none of it is written.
            source.give_back(count);
            return Ok(0);
        }
        self.pages.lock().get_or_insert_default().put(number, page);
        self.take_back(number..number + 1);
        Ok(count)
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&self, length: u64) -> Result<(), FileError> {
        let _changing = self.changing.lock();
        self.give_up(length / PAGE_BYTES..u64::MAX, |pages, gone| pages.set_length(length, gone))
    }

    /// Makes bytes inside the file zeros.
    pub(super) fn erase(&self, offset: u64, length: u64) -> Result<(), FileError> {
        loop {
            let changing = self.changing.lock();
            let (end, lacking) = {
                let mut pages = self.pages.lock();
                let pages = pages.get_or_insert_default();
                let end = offset.saturating_add(length).min(pages.length());
                (end, pages.lacking(offset, end))
            };
            let Some(number) = lacking else {
                let shown = offset / PAGE_BYTES..offset.saturating_add(length).div_ceil(PAGE_BYTES);
                return self.give_up(shown, |pages, gone| pages.erase(offset, end, self.surroundings, gone));
            };
            drop(changing);
            self.bring(number)?;
        }
    }

    /// Changes contents in a way that gives pages up; `shown` are those that may not be shown any more.
    fn give_up(
        &self,
        shown: Range<u64>,
        change: impl FnOnce(&mut Pages, &mut Gone) -> Result<(), FileError>,
    ) -> Result<(), FileError> {
        let mut gone = Gone::new();
        let result = change(self.pages.lock().get_or_insert_default(), &mut gone);
        if gone.is_empty() {
            self.take_back(shown)
        } else {
            self.mappings.forget(shown)
        }
        result
    }

    /// The page of that number, as mappings show it; the file's own with `write`, and else perhaps one of below, which
    /// tells `myself` when it lets go of that.
    pub(super) fn page(&self, number: u64, write: bool, myself: &Weak<dyn Shows>) -> Result<Arc<Page>, FileError> {
        let mut asked = 0;
        loop {
            if let Some(page) = self.page_here(number, write)? {
                return Ok(page);
            }
            asked += 1;
            match self.lender(number).filter(|_| !write && asked < PATIENCE) {
                // It may be gone again, or the file have changed, before it is looked for above.
                Some(below) if !self.lent.load(Relaxed) => {
                    below.mappings().add(myself);
                    self.lent.store(true, Relaxed);
                }
                Some(below) if below.page(number, false).is_ok() => {}
                _ => self.bring(number)?,
            }
        }
    }

    /// The same, if nothing has to be waited for.
    pub(super) fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, FileError> {
        {
            let mut pages = self.pages.lock();
            let pages = pages.get_or_insert_default();
            match pages.has(number) {
                Has::Page(page) => return Ok(Some(page)),
                Has::Nothing => return Err(FileError::NotFound),
                Has::Zeros => return pages.own(number, self.surroundings),
                Has::Below if write || !pages.keeps_all_of(number) => return Ok(None),
                Has::Below => {}
            }
        }
        if !self.lent.load(Relaxed) {
            return Ok(None);
        }
        // Who puts another page in its place meanwhile has this one forgotten, which waits for whoever asks.
        let below = self.reader.get().and_then(|reader| reader.pages());
        Ok(below.and_then(|below| below.page_here(number, false).ok().flatten()))
    }

    /// See [`FilePages::run`].
    pub(super) fn run(&self, number: u64, address: usize, most: usize) -> usize {
        let (own, below) = {
            let pages = self.pages.lock();
            let Some(pages) = pages.as_ref() else { return 0 };
            let has = |number| match pages.has(number) {
                Has::Page(page) => Some(page.address()),
                Has::Nothing | Has::Zeros | Has::Below => None,
            };
            let is_below = |number: &u64| pages.keeps_all_of(*number) && matches!(pages.has(*number), Has::Below);
            let numbers = number..number.saturating_add(most as u64);
            (run_of(numbers.clone().map(has), address), numbers.take_while(is_below).count())
        };
        if own > 0 || !self.lent.load(Relaxed) {
            return own;
        }
        let reader = self.reader.get().and_then(|reader| reader.pages());
        reader.map_or(0, |reader| reader.run(number, address, below))
    }

    /// What has the page of that number for mappings to show, if the file keeps all of it.
    fn lender(&self, number: u64) -> Option<&dyn FilePages> {
        if !self.pages.lock().as_ref()?.keeps_all_of(number) {
            return None;
        }
        self.reader().ok()?.pages()
    }

    /// Has mappings forget `pages`, which are not shown as below any more, if they ever were.
    fn take_back(&self, pages: Range<u64>) {
        if self.lent.load(Relaxed) {
            self.mappings.forget(pages);
        }
    }

    /// Copies a page from below, which belongs to the file from then on.
    fn bring(&self, number: u64) -> Result<(), FileError> {
        if !self.surroundings.has_room(PAGE) {
            return Err(FileError::NoSpace);
        }
        let reader = self.reader()?;
        if let Some(pages) = reader.pages() {
            pages.expect(number);
        }
        let mut result = Ok(());
        let page = Page::filled(self.surroundings.pages(), |bytes| {
            result = read_page(&**reader, number, bytes);
        });
        result?;
        let page = page.ok_or(FileError::NoSpace)?;
        self.pages.lock().get_or_insert_default().bring(number, &page);
        self.take_back(number..number + 1);
        Ok(())
    }
}

/// Times that below is asked for a page to show, if it is gone again each time, before it is copied.
const PATIENCE: u32 = 16;

/// Reads a page; what is behind the end, or cannot be read, becomes zeros.
fn read_page(reader: &dyn Node, number: u64, bytes: &mut [u8]) -> Result<(), FileError> {
    let mut done = 0;
    let result = loop {
        let at = number * PAGE_BYTES + done as u64;
        match reader.read_at(at, &mut SliceSink::new(&mut bytes[done..])) {
            Ok(0) => break Ok(()),
            Ok(count) => done += count,
            Err(error) => break Err(error),
        }
    };
    bytes[done..].fill(0);
    result
}

/// A sink that takes a part of what another one does.
struct Part<'a> {
    sink: &'a mut dyn Sink,
    left: usize,
}

impl Part<'_> {
    const fn took(&mut self, count: usize) -> usize {
        self.left -= count;
        count
    }
}

impl Sink for Part<'_> {
    fn is_quiet(&self) -> bool {
        // What is below is not changed.
        true
    }

    fn room(&self) -> usize {
        self.sink.room().min(self.left)
    }

    fn put(&mut self, bytes: &[u8]) -> usize {
        let count = self.sink.put(&bytes[..bytes.len().min(self.left)]);
        self.took(count)
    }

    fn put_zeros(&mut self, count: usize) -> usize {
        let count = self.sink.put_zeros(count.min(self.left));
        self.took(count)
    }

    fn lend(&mut self, count: usize, fill: &mut dyn FnMut(&mut [&mut [u8]]) -> usize) {
        let mut filled = 0;
        self.sink.lend(count.min(self.left), &mut |places| {
            filled = fill(places);
            filled
        });
        self.took(filled);
    }
}
