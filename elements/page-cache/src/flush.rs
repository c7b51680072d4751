//! Writing back what programs have stored into mapped pages.

use alloc::{sync::Arc, vec::Vec};
use core::ops::Range;

use pages::{Page, SIZE};

use super::{Contents, PAGE};
use vfs::FileError;

/// Pages that are written at once.
const BATCH: usize = 32;

impl Contents {
    /// Writes back these pages, as far as programs may have stored into them. Behind it, a program that stores into one
    /// asks for it again.
    pub fn flush(&self, pages: Range<u64>) -> Result<(), FileError> {
        let Some(dirty) = self.take_dirty(pages) else { return Ok(()) };
        let (Some(&first), Some(&last)) = (dirty.first(), dirty.last()) else { return Ok(()) };
        let _writing = self.writing.lock();
        // No store is lost: those before this are in the page, and those after it mark the page once more.
        self.mappings.forget(first..last + 1);
        let mut result = Ok(());
        let mut rest = &dirty[..];
        while let Some(&first) = rest.first() {
            let run = (first..).zip(rest).take(BATCH).take_while(|(number, page)| number == *page).count();
            let (batch, others) = rest.split_at(run);
            rest = others;
            if let Err(error) = self.write_back(batch) {
                self.mark(batch);
                result = Err(error);
            }
        }
        let mut state = self.state.lock();
        // What was read before this is not what the file has now.
        state.filling.outdate(first..last + 1);
        state.flushing -= 1;
        result
    }

    /// The numbers of dirty pages, which are clean from now on, but not to be let go of; `None` if there are none.
    fn take_dirty(&self, pages: Range<u64>) -> Option<Vec<u64>> {
        let mut state = self.state.lock();
        if !state.stored {
            return None;
        }
        state.stored = pages != (0..u64::MAX);
        let mut dirty = Vec::new();
        let mut at = pages.start;
        while let Some(number) = state.table.next(at).filter(|&number| number < pages.end) {
            at = number + 1;
            if state.table.get_mut(number).is_some_and(|entry| core::mem::take(&mut entry.dirty)) {
                dirty.push(number);
            }
        }
        if dirty.is_empty() {
            return None;
        }
        state.flushing += 1;
        Some(dirty)
    }

    /// Writes neighbours, as far as the file goes.
    fn write_back(&self, numbers: &[u64]) -> Result<(), FileError> {
        let start = numbers.first().map_or(0, |first| first * PAGE);
        let (pages, length) = {
            let mut state = self.state.lock();
            let pages: Vec<Arc<Page>> = numbers.iter().map_while(|&number| state.look(number)).collect();
            (pages, state.length)
        };
        let mut bytes = Vec::with_capacity(pages.len() * SIZE);
        for page in pages {
            page.with(|contents| bytes.extend_from_slice(contents));
        }
        // A file that has been cut meanwhile has no place for the rest.
        let kept = usize::try_from(length.saturating_sub(start)).unwrap_or(usize::MAX);
        bytes.truncate(kept);
        self.write_all(start, &bytes).1
    }

    fn mark(&self, numbers: &[u64]) {
        let mut state = self.state.lock();
        state.stored = true;
        for &number in numbers {
            if let Some(entry) = state.table.get_mut(number) {
                entry.dirty = true;
            }
        }
    }
}
