//! Interval timers: setitimer(2), alarm(2).

use alloc::{
    boxed::Box,
    sync::{Arc, Weak},
};

use linux_abi::{
    Errno,
    constants::{ITIMER_PROF, ITIMER_REAL, ITIMER_VIRTUAL, SI_KERNEL, SIGALRM, SIGPROF, SIGVTALRM},
    structures::SignalInformation,
};

use crate::{
    Process, current,
    objects::{
        signals,
        timers::{
            clock::Clock,
            ticker::{Heard, Ring, Ticker},
        },
    },
    process,
};

/// How many kinds there are.
pub const KINDS: usize = 3;

/// Sends a signal to a process.
struct Alarm {
    process: Weak<Process>,
    signal: u8,
}

impl Ring for Alarm {
    fn ring(&self, _count: u64) -> Heard {
        let Some(process) = self.process.upgrade() else { return Heard::Enough };
        let information =
            SignalInformation { si_signo: self.signal.into(), si_code: SI_KERNEL, ..SignalInformation::default() };
        // A standard signal that finds no room waits already, or a thousand others do.
        if signals::send_to_process(&process, information) == Ok(false) { Heard::No } else { Heard::Yes }
    }
}

/// The running process' timer of this kind; EINVAL if there is no such kind. User's and system's time are not told
/// apart, so ITIMER_VIRTUAL counts as ITIMER_PROF does.
pub fn timer(kind: u32) -> Result<Arc<Ticker>, Errno> {
    let signal = match kind {
        ITIMER_REAL => SIGALRM,
        ITIMER_VIRTUAL => SIGVTALRM,
        ITIMER_PROF => SIGPROF,
        _ => return Err(Errno::EINVAL),
    };
    let clock = if kind == ITIMER_REAL { Clock::Monotonic } else { Clock::of_process() };
    let mut timers = process().interval_timers.lock();
    let timer = timers[kind as usize % KINDS].get_or_insert_with(|| {
        Ticker::new(clock, Box::new(Alarm { process: Arc::downgrade(&current().process), signal }))
    });
    Ok(Arc::clone(timer))
}
