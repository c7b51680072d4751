//! Bringing pages in, and how many at once.
//!
//! The backing is asked with nothing locked. What is on its way is known, so that nobody asks for it twice who can wait
//! for it, and so that a change of the file meanwhile has it thrown away: it might be from before.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use pages::Page;

use super::{AROUND, Backing, Contents, PAGE, ahead::Ahead, contents::State, pool::Effort, table::Entry};
use vfs::FileError;

impl Contents {
    /// Brings in a page that a mapping touched, with what is not here of its neighbours, or more of a file that is
    /// touched in order. Answers as [`Contents::fill`].
    pub(super) fn fill_around(&self, number: u64) -> Result<Option<Arc<Page>>, FileError> {
        let aligned = number - number % AROUND;
        let (first, count) = {
            let mut state = self.state.lock();
            if let Some(page) = state.look(number) {
                return Ok(Some(page));
            }
            let absent = |before: &u64| !state.table.has(*before) && !state.filling.has(*before);
            let first = (aligned..number).rev().take_while(absent).last().unwrap_or(number);
            (first, state.ahead.plan(number, 1).max(aligned + AROUND - number))
        };
        if self.pool.make_room((number - first + count) as usize, Effort::Little) {
            self.fill(first, number - first + count)?;
        }
        // The one that was touched was on its way by then, or has not come along.
        self.fill(number, 1)
    }

    /// Brings in up to `count` pages from `number` on, as far as none of them is here or on its way and the file goes.
    /// Answers the first one; `None` if the file has become too short for it.
    pub(super) fn fill(&self, number: u64, count: u64) -> Result<Option<Arc<Page>>, FileError> {
        loop {
            let (pages, length, place) = {
                let mut state = self.state.lock();
                if let Some(page) = state.look(number) {
                    return Ok(Some(page));
                }
                if number * PAGE >= state.length {
                    return Ok(None);
                }
                if state.filling.has(number) && sync::may_sleep() {
                    drop(state);
                    self.wait_for_filling(number);
                    continue;
                }
                let behind = state.length.div_ceil(PAGE).min(number + count);
                let end = state.table.next(number).map_or(behind, |next| next.min(behind));
                let end = state.filling.next(number).map_or(end, |next| next.min(end));
                (number..end, state.length, state.filling.begin(number..end))
            };
            let read = self.read_in(&pages, length);
            let mut state = self.state.lock();
            let counts = state.filling.end(place);
            let result = read.map(|read| if counts { state.keep(number, read) } else { None });
            drop(state);
            self.filled.wake_all();
            // What was read before a change may not be kept.
            if counts || result.is_err() {
                return result;
            }
        }
    }

    fn wait_for_filling(&self, number: u64) {
        sync::wait_on(&self.filled, &mut || !self.state.lock().filling.has(number));
    }

    /// Reads these pages of a file that has `length` bytes.
    fn read_in(&self, pages: &Range<u64>, length: u64) -> Result<Read, FileError> {
        let start = pages.start * PAGE;
        let (mut result, mut asked) = (Ok(0), 0);
        let pages = Page::several(self.pool.memory, (pages.end - pages.start) as usize, |parts| {
            asked = (parts.len() as u64 * PAGE).min(length - start);
            result = read_all(&*self.backing, start, parts, asked as usize);
        });
        let bytes = result? as u64;
        if pages.is_empty() { Err(FileError::NoMemory) } else { Ok(Read { pages, bytes, asked }) }
    }
}

/// What came from the backing.
struct Read {
    pages: Vec<Arc<Page>>,
    bytes: u64,
    /// Bytes that there would have been.
    asked: u64,
}

impl State {
    /// Keeps what was read from `number` on, and answers the first page.
    fn keep(&mut self, number: u64, read: Read) -> Option<Arc<Page>> {
        let Read { pages, bytes, asked } = read;
        if bytes < asked {
            // Somebody has cut the file.
            self.length = number * PAGE + bytes;
        }
        let good = bytes.div_ceil(PAGE);
        self.ahead = Ahead { next: number + good, window: good };
        for (number, page) in (number..number + good).zip(pages) {
            // One that a fault in the kernel has brought in meanwhile may have been stored into.
            if !self.table.has(number) {
                self.table.insert(number, Entry { page, used: true, shown: false, dirty: false });
            }
        }
        self.look(number)
    }
}

/// Reads `wanted` bytes, or to the end of a file that is shorter; what is left of `parts` becomes zeros, also after an
/// error.
fn read_all(backing: &dyn Backing, offset: u64, parts: &mut [&mut [u8]], wanted: usize) -> Result<usize, FileError> {
    let mut total = 0;
    let result = loop {
        if total >= wanted {
            break Ok(total);
        }
        let mut rest = behind(parts, total);
        match backing.read(offset + total as u64, &mut rest) {
            Ok(0) => break Ok(total),
            Ok(count) => total += count,
            Err(error) => break Err(error),
        }
    };
    behind(parts, total).into_iter().for_each(|part| part.fill(0));
    result
}

/// What of `parts` lies behind the first `skip` bytes.
fn behind<'a>(parts: &'a mut [&mut [u8]], mut skip: usize) -> Vec<&'a mut [u8]> {
    let mut rest = Vec::with_capacity(parts.len());
    rest.extend(parts.iter_mut().filter_map(|part| {
        let skipped = skip.min(part.len());
        skip -= skipped;
        part.get_mut(skipped..).filter(|rest| !rest.is_empty())
    }));
    rest
}
