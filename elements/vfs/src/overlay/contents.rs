//! A file's contents: what is below, the pages written since, and holes.

use alloc::sync::Arc;

use sync::{Mutex, Once};

use super::pages::{PAGE, Pages, Piece};
use crate::{FileError, InPlace, Node, Sink, SliceSink, Source, ramfs::Surroundings};

/// The contents of a file.
pub(super) struct Contents {
    lower: Option<Arc<dyn Node>>,
    /// What reads from below, from the first time the file is opened.
    reader: Once<Arc<dyn Node>>,
    /// What is different; as below while there is nothing.
    pages: Mutex<Option<Pages>>,
}

impl Contents {
    /// None.
    pub(super) fn new() -> Self {
        Self { lower: None, reader: Once::new(), pages: Mutex::new(Some(Pages::default())) }
    }

    /// Those of `lower`.
    pub(super) const fn below(lower: Arc<dyn Node>) -> Self {
        Self { lower: Some(lower), reader: Once::new(), pages: Mutex::new(None) }
    }

    /// From now on they have a length of their own; `size` bytes are below.
    pub(super) fn settle(&self, size: u64) {
        self.pages.lock().get_or_insert_with(|| Pages::below(size));
    }

    /// Bytes, and bytes of memory, if they are not as below.
    pub(super) fn size(&self) -> Option<(u64, u64)> {
        self.pages.lock().as_ref().map(|pages| (pages.length(), pages.occupied()))
    }

    pub(super) fn in_place(&self) -> Option<InPlace> {
        let is_below = self.pages.lock().is_none();
        let lower = self.lower.as_ref().filter(|_| is_below)?;
        lower.in_place()
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

    /// Gives bytes from `offset` on to `sink`.
    pub(super) fn read(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut at = offset;
        while sink.room() > 0 {
            let piece = match &*self.pages.lock() {
                Some(pages) => pages.read(at, sink),
                None => Piece::Below(u64::MAX),
            };
            let count = match piece {
                Piece::Moved(count) => Ok(count),
                Piece::Below(most) => self.read_below(at, most, sink),
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
        let ends_here = count == 0 && self.pages.lock().is_none();
        if count > 0 || ends_here { Ok(count) } else { Ok(part.sink.put_zeros(part.left.min(PAGE))) }
    }

    /// Takes bytes from `source` and puts them from `offset` on, or behind the last byte; answers how many, and the
    /// position behind them. For contents that are settled, as all that follows.
    pub(super) fn write(
        &self,
        offset: Option<u64>,
        source: &mut dyn Source,
        surroundings: &dyn Surroundings,
    ) -> Result<(usize, u64), FileError> {
        self.with_pages(surroundings, &mut |pages| {
            let start = offset.unwrap_or(pages.length());
            match pages.lacking(start, start.saturating_add(source.left() as u64)) {
                Some(number) => Err(Lack::Page(number)),
                None => pages.write(start, source, surroundings).map_err(Lack::Other),
            }
        })
    }

    /// Cuts, or fills up with a hole.
    pub(super) fn set_length(&self, length: u64) -> Result<(), FileError> {
        self.pages.lock().get_or_insert_default().set_length(length)
    }

    /// Makes bytes inside the file zeros.
    pub(super) fn erase(&self, offset: u64, length: u64, surroundings: &dyn Surroundings) -> Result<(), FileError> {
        self.with_pages(surroundings, &mut |pages| {
            let end = offset.saturating_add(length).min(pages.length());
            match pages.lacking(offset, end) {
                Some(number) => Err(Lack::Page(number)),
                None => pages.erase(offset, end, surroundings).map_err(Lack::Other),
            }
        })
    }

    /// Does `act`, under the lock, as soon as it lacks no page from below; those come while nothing is locked.
    fn with_pages<R>(
        &self,
        surroundings: &dyn Surroundings,
        act: &mut dyn FnMut(&mut Pages) -> Result<R, Lack>,
    ) -> Result<R, FileError> {
        loop {
            let result = act(self.pages.lock().get_or_insert_default());
            match result {
                Ok(done) => return Ok(done),
                Err(Lack::Other(error)) => return Err(error),
                Err(Lack::Page(number)) => self.bring(number, surroundings)?,
            }
        }
    }

    /// Copies a page from below, which belongs to the file from then on.
    fn bring(&self, number: u64, surroundings: &dyn Surroundings) -> Result<(), FileError> {
        let mut page = super::pages::blank(surroundings)?;
        let mut done = 0;
        while done < PAGE {
            let at = number * PAGE as u64 + done as u64;
            match self.reader()?.read_at(at, &mut SliceSink::new(&mut page[done..]))? {
                0 => break,
                count => done += count,
            }
        }
        self.pages.lock().get_or_insert_default().bring(number, page);
        Ok(())
    }
}

/// Why something cannot be done to pages.
enum Lack {
    /// This one must come from below first.
    Page(u64),
    Other(FileError),
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
}
