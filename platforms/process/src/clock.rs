//! Time: the host's clocks, and one timer of the host's as the alarm.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::{
    block,
    host::time::{self, ClockId},
    signals::ALARM,
};

/// The host's timer, made at the first alarm; [`NONE`] before.
static TIMER: AtomicUsize = AtomicUsize::new(NONE);
const NONE: usize = usize::MAX;

/// The machine's [`machine::Clock`]. Its monotonic time is the host's, so it counts from the host's start.
#[derive(Debug, Default)]
pub struct Clock;

impl Clock {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Clock for Clock {
    fn monotonic(&self) -> u64 {
        time::now(ClockId::Monotonic)
    }

    fn wall(&self) -> u64 {
        time::now(ClockId::Wall)
    }
}

/// The machine's [`machine::Alarm`]: a timer of the host.
#[derive(Debug, Default)]
pub struct Alarm;

impl Alarm {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::Alarm for Alarm {
    fn set(&self, deadline: Option<u64>) {
        let timer = match (TIMER.load(Relaxed), deadline) {
            (NONE, None) => return,
            (NONE, Some(_)) => match time::create_timer(ALARM) {
                Ok(timer) => timer,
                // No timers left on this host: the alarm is early, so whoever waits for it looks again and again.
                Err(_) => return block::current().pending.store(true, Relaxed),
            },
            (timer, _) => timer,
        };
        TIMER.store(timer, Relaxed);
        // The host takes 0 for "never".
        let _ = time::set_timer(timer, deadline.map_or(0, |deadline| deadline.max(1)));
    }
}
