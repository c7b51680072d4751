//! Signals that wait.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use linux_abi::{
    constants::{SI_USER, SIGRTMIN},
    structures::SignalInformation,
};

use super::SignalSet;

/// Most signals that wait at once unless told otherwise (RLIMIT_SIGPENDING): real-time signals queue.
pub const MAX_PENDING: usize = 1024;

/// What `padding` says while a signal of a timer waits: no program can send one.
pub const FROM_TIMER: u32 = 1;

/// Signals that wait for a thread or a process, in the order they came.
#[derive(Debug, Default)]
pub struct Pending {
    set: SignalSet,
    /// What came with them. A standard signal may wait without, when there is no room.
    queue: Vec<SignalInformation>,
}

/// No more signals can wait (EAGAIN for real-time signals).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

impl Pending {
    /// Nothing waits.
    #[must_use]
    pub const fn new() -> Self {
        Self { set: SignalSet::EMPTY, queue: Vec::new() }
    }

    /// Which signals wait.
    #[must_use]
    pub const fn set(&self) -> SignalSet {
        self.set
    }

    /// Adds a signal, if `count` of the process' signals, which is kept, is below `limit`. A standard signal waits at
    /// most once, and without room for more than its number still does; that of a timer has room from its start.
    /// `__send_signal_locked` in `kernel/signal.c`.
    #[inline(never)]
    pub fn add(&mut self, information: SignalInformation, limit: usize, count: &AtomicUsize) -> Result<(), QueueFull> {
        let (signal, code) = (information.si_signo as u8, information.si_code);
        let (is_standard, is_timers) = (signal < SIGRTMIN, information.padding == FROM_TIMER);
        if is_standard && !is_timers && self.set.contains(signal) {
            return Ok(());
        }
        let has_room = is_timers || is_standard && code >= 0 || count.load(Ordering::Relaxed) < limit;
        if !has_room && !is_standard && code != SI_USER {
            return Err(QueueFull);
        }
        self.set = self.set.with(signal);
        if has_room {
            count.fetch_add(1, Ordering::Relaxed);
            self.queue.push(information);
        }
        Ok(())
    }

    /// Takes out the signal of `wanted` that comes first.
    pub fn take(&mut self, wanted: SignalSet, count: &AtomicUsize) -> Option<SignalInformation> {
        let mut taken = None;
        self.take_into(&mut taken, wanted, count);
        taken
    }

    /// The same where it is to be; without one, nothing is there.
    #[inline]
    pub fn take_into(&mut self, taken: &mut Option<SignalInformation>, wanted: SignalSet, count: &AtomicUsize) {
        // As it mostly is: it waits alone.
        if let [information] = &*self.queue
            && let signals = SignalSet::of(&[information.si_signo as u8])
            && self.set == signals
            && !signals.intersection(wanted).is_empty()
        {
            count.fetch_sub(1, Ordering::Relaxed);
            *taken = Some(*information);
            self.set = SignalSet::EMPTY;
            self.queue.clear();
            return;
        }
        *taken = self.set.intersection(wanted).first().map(|signal| self.take_among(signal, count));
    }

    /// Takes out this signal, which waits, from among others.
    #[inline(never)]
    fn take_among(&mut self, signal: u8, count: &AtomicUsize) -> SignalInformation {
        let is_it = |information: &SignalInformation| information.si_signo == i32::from(signal);
        let information = match self.queue.iter().position(is_it) {
            Some(index) => {
                count.fetch_sub(1, Ordering::Relaxed);
                self.queue.remove(index)
            }
            None => SignalInformation::sent(signal, SI_USER, 0, 0, 0),
        };
        // A standard signal waits once, but for a timer's.
        if !self.queue.iter().any(is_it) {
            self.set = self.set.without(SignalSet::of(&[signal]));
        }
        information
    }

    /// Forgets all signals of `unwanted`.
    pub fn drop_all(&mut self, unwanted: SignalSet, count: &AtomicUsize) {
        if self.set.intersection(unwanted).is_empty() {
            return;
        }
        self.set = self.set.without(unwanted);
        let before = self.queue.len();
        self.queue.retain(|information| !unwanted.contains(information.si_signo as u8));
        count.fetch_sub(before - self.queue.len(), Ordering::Relaxed);
    }
}
