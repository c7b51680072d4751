//! One file's contents, and reading them.

use alloc::sync::{Arc, Weak};

use pages::Page;
use sync::{Mutex, SleepMutex, WaitQueue};

use super::{Backing, PAGE, Pool, ahead::Ahead, filling::Filling, pool::Effort, table::Table};
use vfs::{FileError, FilePages, Mappings, Moved, ShortSink, Sink, run_of};

/// What tells one state of a file from another, without looking at its contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub length: u64,
    /// Last change, in nanoseconds.
    pub modified: i64,
    /// What the file system counts changes with, if it does.
    pub version: u64,
}

/// The contents of a file.
pub struct Contents {
    pub(super) pool: &'static Pool,
    pub(super) backing: Arc<dyn Backing>,
    pub(super) mappings: Mappings,
    /// Held while the backing changes, and over what is asked of it then.
    pub(super) writing: SleepMutex<()>,
    pub(super) state: Mutex<State>,
    /// Woken when pages have come, or have not.
    pub(super) filled: WaitQueue,
}

pub(super) struct State {
    pub(super) table: Table,
    /// As far as known.
    pub(super) length: u64,
    pub(super) ahead: Ahead,
    /// Pages on their way from the backing.
    pub(super) filling: Filling,
    /// Pages are being written back, though the table says that they are clean.
    pub(super) flushing: u32,
    /// Some page may be dirty.
    pub(super) stored: bool,
    /// Where the search for pages to let go of goes on.
    pub(super) hand: u64,
    stamp: Stamp,
    /// We have changed the file since its stamp was taken.
    pub(super) changed: bool,
}

impl Contents {
    /// Contents of a file that was as `stamp` says just now.
    #[must_use]
    pub fn new(pool: &'static Pool, backing: Arc<dyn Backing>, stamp: Stamp) -> Arc<Self> {
        let state = State {
            table: Table::default(),
            length: stamp.length,
            ahead: Ahead::default(),
            filling: Filling::default(),
            flushing: 0,
            stored: false,
            hand: 0,
            stamp,
            changed: false,
        };
        let (mappings, writing, state) = (Mappings::new(), SleepMutex::new(()), Mutex::new(state));
        let file = Arc::new(Self { pool, backing, mappings, writing, state, filled: WaitQueue::new() });
        let member: Weak<Self> = Arc::downgrade(&file);
        pool.add(member);
        file
    }

    /// Bytes, as far as known here.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.state.lock().length
    }

    /// Whether we have changed it since its stamp was taken.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.state.lock().changed
    }

    /// Pages that are here.
    #[must_use]
    pub fn resident(&self) -> usize {
        self.state.lock().table.count()
    }

    /// The file is opened, and is as `stamp` says: if somebody else has changed it, nothing kept here counts any more.
    pub fn revalidate(&self, stamp: Stamp) -> Result<(), FileError> {
        let same = {
            let state = self.state.lock();
            !state.changed && state.stamp == stamp
        };
        if same { Ok(()) } else { self.renew(stamp) }
    }

    /// The file is as `stamp` says after our own changes: what is kept here still counts.
    pub fn settle(&self, stamp: Stamp) {
        let mut state = self.state.lock();
        if state.length == stamp.length {
            (state.stamp, state.changed) = (stamp, false);
        }
    }

    fn renew(&self, stamp: Stamp) -> Result<(), FileError> {
        // What programs stored is newer than anything.
        let flushed = self.flush(0..u64::MAX);
        let _writing = self.writing.lock();
        let mut state = self.state.lock();
        let old = core::mem::take(&mut state.table);
        state.filling.outdate(0..u64::MAX);
        (state.length, state.stamp, state.changed) = (stamp.length, stamp, false);
        drop(state);
        if old.count() > 0 {
            self.mappings.forget(0..u64::MAX);
        }
        flushed
    }

    /// Gives `sink` the `count` bytes from `offset` on if their page is here and has all of them: see
    /// [`vfs::Node::read_short`].
    pub fn read_short(&self, offset: u64, count: usize, sink: ShortSink) -> Moved {
        let inside = (offset % PAGE) as usize;
        let page = {
            let mut state = self.state.lock_in_line();
            let left = state.length.checked_sub(offset)?;
            if count > PAGE as usize - inside || count as u64 > left {
                return None;
            }
            state.look(offset / PAGE)?
        };
        page.with_in_line(|bytes| sink.put(&bytes[inside..inside + count]))
    }

    /// Reads from `offset` on; 0 at the end.
    pub fn read_at(&self, mut offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let mut total = 0;
        while sink.room() > 0 {
            let straight = self.read_straight(offset, sink);
            if straight > 0 {
                total += straight;
                offset += straight as u64;
                continue;
            }
            let (page, length) = match self.find(offset, sink.room()) {
                Ok(Some(found)) => found,
                Ok(None) => break,
                Err(_) if total > 0 => break,
                Err(error) => return Err(error),
            };
            let inside = (offset % PAGE) as usize;
            let most = usize::try_from(length - offset).unwrap_or(usize::MAX).min(PAGE as usize - inside);
            let put = page.with(|bytes| {
                let count = most.min(sink.room());
                (sink.put(&bytes[inside..inside + count]), count)
            });
            total += put.0;
            offset += put.0 as u64;
            if put.0 < put.1 {
                break;
            }
        }
        Ok(total)
    }

    /// The page with the byte at `offset`, and the file's length; `None` behind its end.
    fn find(&self, offset: u64, wanted: usize) -> Result<Option<(Arc<Page>, u64)>, FileError> {
        let number = offset / PAGE;
        let mut asked = false;
        loop {
            let mut state = self.state.lock();
            if offset < state.length {
                let length = state.length;
                if let Some(page) = state.look(number) {
                    return Ok(Some((page, length)));
                }
                let wanted = (offset % PAGE).saturating_add(wanted as u64).div_ceil(PAGE);
                let count = state.ahead.plan(number, wanted);
                drop(state);
                let has_room = self.pool.make_room(count as usize, Effort::All);
                let page = self.fill(number, if has_room { count } else { 1 })?;
                let length = self.length();
                return Ok(page.filter(|_| offset < length).map(|page| (page, length)));
            }
            drop(state);
            // Perhaps somebody else has made it longer.
            if asked || !self.grow(offset)? {
                return Ok(None);
            }
            asked = true;
        }
    }

    /// Asks for the length; whether that is behind `offset` now.
    fn grow(&self, offset: u64) -> Result<bool, FileError> {
        let length = self.backing.length()?;
        if length <= offset {
            return Ok(false);
        }
        let mut state = self.state.lock();
        if length <= state.length {
            return Ok(offset < state.length);
        }
        // Bytes have come behind those that the last page has.
        let last = state.length / PAGE;
        let stale =
            if state.table.get_mut(last).is_some_and(|entry| !entry.dirty) { state.table.remove(last) } else { None };
        state.length = length;
        state.filling.outdate(last..u64::MAX);
        drop(state);
        if stale.is_some_and(|entry| entry.shown) {
            self.mappings.forget(last..last + 1);
        }
        Ok(true)
    }
}

/// Times that a page is brought in for one fault, if it is gone again each time.
const PATIENCE: u32 = 64;

impl State {
    /// The page of that number, if it is here, which a program sees from now on.
    fn show(&mut self, number: u64, write: bool) -> Option<Arc<Page>> {
        let entry = self.table.get_mut(number)?;
        entry.used = true;
        entry.shown = true;
        entry.dirty |= write;
        let page = entry.page.clone();
        self.changed |= write;
        self.stored |= write;
        Some(page)
    }

    /// The page of that number, if it is here.
    pub(super) fn look(&mut self, number: u64) -> Option<Arc<Page>> {
        let entry = self.table.get_mut(number)?;
        entry.used = true;
        Some(entry.page.clone())
    }
}

impl FilePages for Contents {
    fn page(&self, number: u64, write: bool) -> Result<Arc<Page>, FileError> {
        for _ in 0..PATIENCE {
            if let Some(page) = self.page_here(number, write)? {
                return Ok(page);
            }
            // It may have been let go of again, or the file been cut.
            self.fill_around(number)?.ok_or(FileError::NotFound)?;
        }
        Err(FileError::Failed)
    }

    fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, FileError> {
        let mut state = self.state.lock();
        if number.checked_mul(PAGE).is_none_or(|start| start >= state.length) {
            return Err(FileError::NotFound);
        }
        Ok(state.show(number, write))
    }

    fn run(&self, number: u64, address: usize, most: usize) -> usize {
        let mut state = self.state.lock();
        let numbers = number..state.length.div_ceil(PAGE);
        run_of(numbers.take(most).map(|number| state.show(number, false).map(|page| page.address())), address)
    }

    fn expect(&self, number: u64) {
        if number < self.length().div_ceil(PAGE) {
            // Who looks at the page will meet the error again.
            let _ = self.fill_around(number);
        }
    }

    fn mappings(&self) -> &Mappings {
        &self.mappings
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        // Nobody is left who could be told of an error: fsync(2) and close(2) have had their chance.
        let _ = self.flush(0..u64::MAX);
    }
}
