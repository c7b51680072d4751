//! Locks on ranges of files (fcntl(2), flock(2)).
//!
//! Who holds a lock is a number: a process, or an open file. Locks of one kind on one file are in each other's way when
//! their ranges meet, their holders differ and one of them writes.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod held;
mod kept;
mod tree;

use alloc::{collections::BTreeMap, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use sync::{Mutex, WaitQueue};

pub use held::{Held, Kind};
use kept::Kept;

/// The file system and number of a file.
pub type File = (u64, u64);

/// Why a lock is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Another one is in the way.
    Busy,
    /// Its holder waits, maybe through others, for the one who asks (EDEADLK).
    Deadlock,
}

/// All locks of a machine.
#[derive(Default)]
pub struct Locks {
    state: Mutex<State>,
    /// Locks held: no file is looked for while there are none.
    count: AtomicUsize,
    /// Woken when a lock is given back.
    changed: WaitQueue,
}

#[derive(Default)]
struct State {
    kept: Kept,
    /// Who waits for whom.
    waits: BTreeMap<usize, usize>,
}

impl Locks {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        let state = State { kept: Kept::new(), waits: BTreeMap::new() };
        Self { state: Mutex::new(state), count: AtomicUsize::new(0), changed: WaitQueue::new() }
    }

    /// Those who wait for a lock.
    pub const fn changed(&self) -> &WaitQueue {
        &self.changed
    }

    /// Whether nobody holds any.
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// All that are held.
    #[must_use]
    pub fn all(&self) -> Vec<Held> {
        self.state.lock().kept.all()
    }

    /// A lock that stands in the way of `wanted`.
    #[must_use]
    pub fn conflict(&self, wanted: &Held) -> Option<Held> {
        self.state.lock().kept.conflict(wanted)
    }

    /// Gives the lock, in the place of what its holder has in that range. `waits` says that the holder will wait if it
    /// is busy: then it must try again, or say that it does not with [`Locks::give_up`].
    pub fn lock(&self, wanted: Held, waits: bool) -> Result<(), Refused> {
        let mut state = self.state.lock();
        state.waits.remove(&wanted.holder);
        if let Some(other) = state.kept.conflict(&wanted).map(|held| held.holder) {
            if !waits {
                return Err(Refused::Busy);
            }
            if wanted.kind == Kind::Process && state.leads(other, wanted.holder) {
                return Err(Refused::Deadlock);
            }
            state.waits.insert(wanted.holder, other);
            return Err(Refused::Busy);
        }
        let weakened = state.replace(wanted);
        self.finish(&state);
        drop(state);
        // Else nobody can go on: who is woken first and takes it need not wake the others once more.
        if weakened {
            self.changed.wake_all();
        }
        Ok(())
    }

    /// Gives back what the holder of `range` has there.
    pub fn unlock(&self, range: &Held) {
        self.change(&mut |state| {
            let _left = state.clear(range);
        });
    }

    /// The holder waits no more.
    pub fn give_up(&self, holder: usize) {
        self.state.lock().waits.remove(&holder);
    }

    /// Gives back all locks of a holder, or those on one file.
    #[inline]
    pub fn release(&self, holder: usize, file: Option<File>) {
        if !self.is_empty() {
            self.release_some(holder, file);
        }
    }

    // Each place that drops an open file has the test above, and not this.
    #[inline(never)]
    fn release_some(&self, holder: usize, file: Option<File>) {
        self.change(&mut |state| state.kept.release(holder, file));
    }

    #[inline(never)]
    fn change(&self, change: &mut dyn FnMut(&mut State)) {
        let mut state = self.state.lock();
        change(&mut state);
        self.finish(&state);
        drop(state);
        self.changed.wake_all();
    }

    fn finish(&self, state: &State) {
        self.count.store(state.kept.count(), Ordering::Relaxed);
    }
}

impl State {
    /// Takes a range away from what its holder has. Answers the neighbours of the range, with what is left of them, and
    /// whether any of it was for writing.
    fn clear(&mut self, range: &Held) -> ([Option<Held>; 2], bool) {
        let (mut rest, mut wrote) = (None, false);
        // From the end, for the one that begins last may go on behind it.
        while let Some(held) = self.kept.up_to(range, range.last).filter(|held| held.last >= range.start) {
            self.kept.remove(&held);
            wrote |= held.write;
            if held.last > range.last {
                rest = Some(Held { start: range.last + 1, ..held });
            }
            if held.start < range.start {
                self.kept.insert(Held { last: range.start - 1, ..held });
            }
        }
        rest.into_iter().for_each(|rest| self.kept.insert(rest));
        let before =
            range.start.checked_sub(1).and_then(|last| self.kept.up_to(range, last).filter(|held| held.last == last));
        let after = range
            .last
            .checked_add(1)
            .and_then(|start| self.kept.up_to(range, start).filter(|held| held.start == start));
        ([before, after], wrote)
    }

    /// Gives a lock in the place of what its holder has there, as one with neighbours of its kind; whether any of it
    /// was for writing before and is for reading now.
    fn replace(&mut self, wanted: Held) -> bool {
        let (neighbours, wrote) = self.clear(&wanted);
        let mut whole = wanted;
        for held in neighbours.into_iter().flatten().filter(|held| held.write == wanted.write) {
            self.kept.remove(&held);
            (whole.start, whole.last) = (whole.start.min(held.start), whole.last.max(held.last));
        }
        self.kept.insert(whole);
        wrote && !wanted.write
    }

    /// Whether `from` waits, through any others, for `to`.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut at = from;
        // Each waits for one at a time, so the way is no longer than the list.
        for _ in 0..=self.waits.len() {
            if at == to {
                return true;
            }
            let Some(next) = self.waits.get(&at) else { return false };
            at = *next;
        }
        false
    }
}

#[cfg(test)]
mod tests;
