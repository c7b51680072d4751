//! Writing: to the backing first, then to the pages that are here.

use alloc::{sync::Arc, vec, vec::Vec};

use pages::{Page, SIZE};

use super::{
    Contents, PAGE,
    pool::Effort,
    table::{Entry, Table},
};
use vfs::{FileError, Source};

/// Most bytes that are taken from the writer at once.
const CHUNK: usize = 128 << 10;

/// Where a write begins.
#[derive(Clone, Copy)]
enum Start {
    At(u64),
    End,
}

impl Contents {
    /// Writes at `offset`: when this returns, the backing has the bytes. Fewer than given if an error ends it.
    pub fn write_at(&self, offset: u64, source: &mut dyn Source) -> Result<usize, FileError> {
        Ok(self.write(Start::At(offset), source)?.0)
    }

    /// Writes behind the last byte there is; answers the bytes written and the position behind them.
    pub fn append(&self, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        self.write(Start::End, source)
    }

    fn write(&self, mut start: Start, source: &mut dyn Source) -> Result<(usize, u64), FileError> {
        let mut total = 0;
        let mut end = if let Start::At(offset) = start { offset } else { self.length() };
        // The writer's memory may fault, and that may need this file: no lock is held over `take`.
        let mut buffer = vec![0; source.left().min(CHUNK)];
        while source.left() > 0 {
            let count = source.take(&mut buffer);
            if count == 0 {
                break;
            }
            let (written, result) = self.store(start, &buffer[..count], &mut end);
            total += written;
            if written < count {
                source.give_back(count - written);
            }
            match result {
                Err(error) if total == 0 => return Err(error),
                Err(_) => break,
                Ok(()) => start = Start::At(end),
            }
        }
        Ok((total, end))
    }

    /// Writes one chunk, and says where it ended.
    fn store(&self, start: Start, bytes: &[u8], end: &mut u64) -> (usize, Result<(), FileError>) {
        let _writing = self.writing.lock();
        let offset = match start {
            Start::At(offset) => offset,
            Start::End => match self.backing.length() {
                Ok(length) => length,
                Err(error) => return (0, Err(error)),
            },
        };
        if offset.checked_add(bytes.len() as u64).is_none_or(|end| end > i64::MAX as u64) {
            return (0, Err(FileError::TooLarge));
        }
        let has_room = self.pool.make_room(bytes.len().div_ceil(SIZE), Effort::Little);
        let (written, result, pages) = {
            let (written, result) = self.write_all(offset, bytes);
            let mut state = self.state.lock();
            state.filling.outdate(offset / PAGE..(offset + written as u64).div_ceil(PAGE));
            let old = state.length;
            state.changed |= written > 0;
            state.length = old.max(offset + written as u64);
            (written, result, self.covered(&mut state.table, offset, &bytes[..written], has_room.then_some(old)))
        };
        for (number, page) in pages {
            page.change(|contents| overlay(contents, number, offset, &bytes[..written]));
        }
        *end = offset + written as u64;
        (written, result)
    }

    /// The pages that a write changes, of those that are here. Pages that it gives all bytes come in, if there is room:
    /// then `old_length` is what the length was.
    fn covered(&self, table: &mut Table, offset: u64, bytes: &[u8], old_length: Option<u64>) -> Vec<(u64, Arc<Page>)> {
        let end = offset + bytes.len() as u64;
        let mut pages = Vec::new();
        for number in offset / PAGE..end.div_ceil(PAGE) {
            if let Some(entry) = table.get_mut(number) {
                pages.push((number, entry.page.clone()));
                continue;
            }
            let start = number * PAGE;
            // Behind the old end there was nothing, and before `offset` there is nothing now.
            let whole = offset <= start && end >= start + PAGE;
            if old_length.is_none_or(|old_length| !whole && start < old_length) {
                continue;
            }
            let page = Page::filled(self.pool.memory, |contents| {
                contents.fill(0);
                overlay(contents, number, offset, bytes);
            });
            if let Some(page) = page {
                table.insert(number, Entry { page, used: true, shown: false, dirty: false });
            }
        }
        pages
    }

    /// Writes until all is written or an error comes.
    pub(super) fn write_all(&self, offset: u64, bytes: &[u8]) -> (usize, Result<(), FileError>) {
        let mut written = 0;
        while written < bytes.len() {
            match self.backing.write(offset + written as u64, &bytes[written..]) {
                Ok(0) => return (written, Err(FileError::Failed)),
                Ok(count) => written += count.min(bytes.len() - written),
                Err(error) => return (written, Err(error)),
            }
        }
        (written, Ok(()))
    }

    /// Cuts, or fills up with zeros.
    pub fn set_length(&self, length: u64) -> Result<(), FileError> {
        let _writing = self.writing.lock();
        self.backing.set_length(length)?;
        let mut state = self.state.lock();
        let old = core::mem::replace(&mut state.length, length);
        state.filling.outdate(length.min(old) / PAGE..u64::MAX);
        state.changed = true;
        // Behind the end a program may have stored what nobody is to see when the file grows again.
        let last = length.min(old);
        let partial = if last.is_multiple_of(PAGE) { None } else { state.look(last / PAGE) };
        let cut: Vec<u64> = state.table.numbers(length.div_ceil(PAGE)..u64::MAX).collect();
        let removed: Vec<_> = cut.iter().filter_map(|&number| state.table.remove(number)).collect();
        drop(state);
        if let Some(page) = partial {
            page.change(|contents| contents[(last % PAGE) as usize..].fill(0));
        }
        if removed.iter().any(|entry| entry.shown) {
            self.mappings.forget(length.div_ceil(PAGE)..u64::MAX);
        }
        Ok(())
    }

    /// Makes part of the contents zeros, without changing the length.
    pub fn erase(&self, mut offset: u64, length: u64) -> Result<(), FileError> {
        let zeros = vec![0; CHUNK.min(usize::try_from(length).unwrap_or(CHUNK))];
        let end = offset.saturating_add(length).min(self.length());
        while offset < end {
            let count = usize::try_from(end - offset).unwrap_or(CHUNK).min(zeros.len());
            self.store(Start::At(offset), &zeros[..count], &mut offset).1?;
        }
        Ok(())
    }

    /// Writes back, and makes it last (fsync(2)).
    pub fn sync(&self, metadata: bool) -> Result<(), FileError> {
        self.flush(0..u64::MAX)?;
        self.backing.sync(metadata)
    }
}

/// Puts what of `bytes`, which begin at `offset` of the file, lies in page `number` into its contents.
fn overlay(contents: &mut [u8; SIZE], number: u64, offset: u64, bytes: &[u8]) {
    let start = number * PAGE;
    let inside = offset.saturating_sub(start) as usize;
    let skipped = start.saturating_sub(offset) as usize;
    if let (Some(place), Some(bytes)) = (contents.get_mut(inside..), bytes.get(skipped..)) {
        let count = place.len().min(bytes.len());
        place[..count].copy_from_slice(&bytes[..count]);
    }
}
