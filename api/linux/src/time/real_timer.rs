//! ITIMER_REAL: setitimer(2), alarm(2).

use kernel::timer::{self, TimerId};
use linux_abi::{
    constants::{SI_KERNEL, SIGALRM},
    structures::SignalInformation,
};

use crate::{Process, process, signal};

/// The kernel timer behind it.
pub const REAL_TIMER: TimerId = TimerId(0);

/// When it rings next, and how often from then on; nanoseconds of the monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealTimer {
    deadline: Option<u64>,
    interval: u64,
}

impl RealTimer {
    /// Nanoseconds left (0: it is off) and between rings.
    #[must_use]
    pub fn get() -> (u64, u64) {
        let timer = *process().real_timer.lock();
        let now = contracts::clock::monotonic();
        // A timer that is due but has not rung yet has something left.
        let left = timer.deadline.map_or(0, |deadline| deadline.saturating_sub(now).max(1));
        (left, timer.interval)
    }

    /// Sets it to ring in `first` nanoseconds (0: off) and then every `interval` (0: once). Answers as
    /// [`RealTimer::get`] did before.
    pub fn replace(first: u64, interval: u64) -> (u64, u64) {
        let old = Self::get();
        let deadline = (first > 0).then(|| contracts::clock::monotonic().saturating_add(first));
        *process().real_timer.lock() = Self { deadline, interval };
        timer::set(REAL_TIMER, deadline);
        old
    }

    /// It rang.
    pub fn expired(process: &Process) {
        let next = {
            let mut timer = process.real_timer.lock();
            timer.deadline = timer.next();
            timer.deadline
        };
        timer::set(REAL_TIMER, next);
        let information =
            SignalInformation { si_signo: SIGALRM.into(), si_code: SI_KERNEL, ..SignalInformation::default() };
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = signal::send_to_process(process, information);
    }

    /// The next ring that still lies ahead, on the timer's grid.
    fn next(&self) -> Option<u64> {
        let last = self.deadline.filter(|_| self.interval > 0)?;
        let missed = contracts::clock::monotonic().saturating_sub(last) / self.interval;
        Some(last.saturating_add(self.interval.saturating_mul(missed + 1)))
    }
}
