//! Locks on ranges of files (fcntl(2), flock(2)).
//!
//! Who holds a lock is a number: a process, or an open file. Locks of one kind on one file are in each other's way when
//! their ranges meet, their holders differ and one of them writes. All of them are in one list: there are few.

mod held;

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use sync::{Mutex, WaitQueue};

use held::without;
pub use held::{Held, Kind};

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
    held: Vec<Held>,
    /// Who waits for whom.
    waits: Vec<(usize, usize)>,
}

impl Locks {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        let state = Mutex::new(State { held: Vec::new(), waits: Vec::new() });
        Self { state, count: AtomicUsize::new(0), changed: WaitQueue::new() }
    }

    /// Those who wait for a lock.
    pub const fn changed(&self) -> &WaitQueue {
        &self.changed
    }

    /// Whether nobody holds any.
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// A lock that stands in the way of `wanted`.
    #[must_use]
    pub fn conflict(&self, wanted: &Held) -> Option<Held> {
        self.state.lock().held.iter().find(|held| held.conflicts(wanted)).copied()
    }

    /// Gives the lock, in the place of what its holder has in that range. `waits` says that the holder will wait if it is
    /// busy: then it must try again, or say that it does not with [`Locks::give_up`].
    pub fn lock(&self, wanted: Held, waits: bool) -> Result<(), Refused> {
        let mut state = self.state.lock();
        state.waits.retain(|(waiter, _)| *waiter != wanted.holder);
        if let Some(other) = state.held.iter().find(|held| held.conflicts(&wanted)).map(|held| held.holder) {
            if !waits {
                return Err(Refused::Busy);
            }
            if wanted.kind == Kind::Process && state.leads(other, wanted.holder) {
                return Err(Refused::Deadlock);
            }
            state.waits.push((wanted.holder, other));
            return Err(Refused::Busy);
        }
        without(&mut state.held, &wanted);
        state.held.push(wanted);
        self.finish(&state);
        drop(state);
        // A lock for writing may have become one for reading.
        self.changed.wake_all();
        Ok(())
    }

    /// Gives back what the holder of `range` has there.
    pub fn unlock(&self, range: &Held) {
        self.change(&mut |held| without(held, range));
    }

    /// The holder waits no more.
    pub fn give_up(&self, holder: usize) {
        self.state.lock().waits.retain(|(waiter, _)| *waiter != holder);
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
        self.change(&mut |held| {
            held.retain(|held| held.holder != holder || file.is_some_and(|file| file != held.file));
        });
    }

    #[inline(never)]
    fn change(&self, change: &mut dyn FnMut(&mut Vec<Held>)) {
        let mut state = self.state.lock();
        change(&mut state.held);
        self.finish(&state);
        drop(state);
        self.changed.wake_all();
    }

    fn finish(&self, state: &State) {
        self.count.store(state.held.len(), Ordering::Relaxed);
    }
}

impl State {
    /// Whether `from` waits, through any others, for `to`.
    fn leads(&self, from: usize, to: usize) -> bool {
        let mut at = from;
        // Each waits for one at a time, so the way is no longer than the list.
        for _ in 0..=self.waits.len() {
            if at == to {
                return true;
            }
            let Some((_, next)) = self.waits.iter().find(|(waiter, _)| *waiter == at) else { return false };
            at = *next;
        }
        false
    }
}

#[cfg(test)]
mod tests;
