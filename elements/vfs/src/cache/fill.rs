//! Bringing pages in, and how many at once.

use alloc::{sync::Arc, vec::Vec};

use pages::Page;

use super::{AROUND, Backing, Contents, FIRST_AHEAD, MOST_AHEAD, PAGE, contents::State, pool::Effort, table::Entry};
use crate::FileError;

/// How far to read ahead.
#[derive(Default)]
pub(super) struct Ahead {
    /// The page behind those brought in last.
    next: u64,
    /// Pages brought in then.
    window: u64,
}

impl Ahead {
    /// How many pages to bring in from `number` on, of which `wanted` are needed at once: twice as many each time while
    /// the file is read in order, else what is wanted.
    pub(super) fn plan(&self, number: u64, wanted: u64) -> u64 {
        let window = match number {
            0 => FIRST_AHEAD,
            _ if number == self.next => self.window * 2,
            _ => 1,
        };
        window.max(wanted).clamp(1, MOST_AHEAD)
    }
}

impl Contents {
    /// Brings in a page that a mapping touched, with what is not here of its neighbours, or more of a file that is
    /// touched in order. Answers as [`Contents::fill`].
    pub(super) fn fill_around(&self, state: &mut State, number: u64) -> Result<Option<Arc<Page>>, FileError> {
        if let Some(page) = state.look(number) {
            return Ok(Some(page));
        }
        let aligned = number - number % AROUND;
        let first = (aligned..number).rev().take_while(|&before| !state.table.has(before)).last().unwrap_or(number);
        let count = state.ahead.plan(number, 1).max(aligned + AROUND - number);
        if !self.pool.make_room((number - first + count) as usize, Effort::Little) {
            return self.fill(state, number, 1);
        }
        self.fill(state, first, number - first + count)?;
        Ok(state.look(number))
    }

    /// Brings in up to `count` pages from `number` on, as far as none of them is here and the file goes. Answers the
    /// first one; `None` if the file has become too short for it.
    pub(super) fn fill(&self, state: &mut State, number: u64, count: u64) -> Result<Option<Arc<Page>>, FileError> {
        if let Some(page) = state.look(number) {
            return Ok(Some(page));
        }
        let behind = state.length.div_ceil(PAGE).min(number + count);
        let end = state.table.next(number).map_or(behind, |next| next.min(behind));
        let (start, length) = (number * PAGE, state.length);
        let (mut result, mut asked) = (Ok(0), 0);
        let pages = Page::several(self.pool.memory, (end - number) as usize, |parts| {
            asked = (parts.len() as u64 * PAGE).min(length - start);
            result = read_all(&*self.backing, start, parts, asked as usize);
        });
        let read = result?;
        if pages.is_empty() {
            return Err(FileError::NoMemory);
        }
        if (read as u64) < asked {
            // Somebody has cut the file.
            state.length = start + read as u64;
        }
        let first = (read > 0).then(|| pages[0].clone());
        let good = (read as u64).div_ceil(PAGE);
        state.ahead = Ahead { next: number + good, window: good };
        for (number, page) in (number..number + good).zip(pages) {
            state.table.insert(number, Entry { page, used: true, shown: false, dirty: false });
        }
        Ok(first)
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
    let rest = parts.iter_mut().filter_map(|part| {
        let skipped = skip.min(part.len());
        skip -= skipped;
        part.get_mut(skipped..).filter(|rest| !rest.is_empty())
    });
    rest.collect()
}
