//! Signals that wait.

use alloc::vec::Vec;

use linux_abi::{constants::SIGRTMIN, structures::SignalInformation};

use crate::{signal::SignalSet, state};

/// Most signals that wait at once (RLIMIT_SIGPENDING): real-time signals queue.
pub const MAX_PENDING: usize = 1024;

/// Signals that wait for a thread or a process, in the order they came.
#[derive(Debug, Default)]
pub struct Pending {
    set: SignalSet,
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

    /// Adds a signal. A standard signal waits at most once.
    pub fn add(&mut self, information: SignalInformation) -> Result<(), QueueFull> {
        let signal = information.si_signo as u8;
        if signal < SIGRTMIN && self.set.contains(signal) {
            return Ok(());
        }
        if self.queue.len() >= MAX_PENDING {
            return Err(QueueFull);
        }
        self.set = self.set.with(signal);
        self.queue.push(information);
        Ok(())
    }

    /// Takes out the signal of `wanted` that comes first.
    #[inline(never)]
    pub fn take(&mut self, wanted: SignalSet) -> Option<SignalInformation> {
        let signal = self.set.intersection(wanted).first()?;
        let is_it = |information: &SignalInformation| information.si_signo == i32::from(signal);
        let index = self.queue.iter().position(is_it)?;
        let information = self.queue.remove(index);
        if !self.queue.iter().any(is_it) {
            self.set = self.set.without(SignalSet::of(&[signal]));
        }
        Some(information)
    }

    /// Forgets all signals of `unwanted`.
    pub fn drop_all(&mut self, unwanted: SignalSet) {
        self.set = self.set.without(unwanted);
        self.queue.retain(|information| !unwanted.contains(information.si_signo as u8));
    }
}

/// Takes out the signal of `wanted` that comes first, the thread's own before the process'.
#[inline(never)]
pub fn take(wanted: SignalSet) -> Option<SignalInformation> {
    let own = state::thread_signals().pending.take(wanted);
    own.or_else(|| state::process_signals().pending.take(wanted))
}
