//! Time: the host's clocks, and timers of the host's as alarms.

use core::sync::atomic::Ordering::Relaxed;

use machine::Source;

use crate::{
    host::{
        signal::ALARM,
        time::{self, ClockId},
    },
    per_cpu::{self, smp},
    vdso,
};

/// The host's timers of a processor. Each is made when it is first set.
#[derive(Clone, Copy, Debug)]
pub enum Timer {
    /// The kernel's alarm.
    Alarm,
    /// When to look at streams again: see [`crate::devices::console`].
    Look,
}

impl Timer {
    /// Sets this processor's to `deadline`, in nanoseconds of the monotonic clock; `None` stops it. `false`: the host
    /// has no timers left.
    pub fn set(self, deadline: Option<u64>) -> bool {
        // One more than the host's number, which begins at 0.
        let place = &per_cpu::current().timers[self as usize];
        if place.load(Relaxed) == 0 {
            if deadline.is_none() {
                return true;
            }
            let Ok(made) = time::create_timer(ALARM) else { return false };
            place.store(made + 1, Relaxed);
        }
        // The host takes 0 for "never".
        time::set_timer(place.load(Relaxed) - 1, deadline.map_or(0, |deadline| deadline.max(1))).is_ok()
    }
}

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

    fn processor_time(&self, number: usize) -> u64 {
        match smp::host_thread(number) {
            Some(thread) => time::of_thread(thread),
            None => time::now(ClockId::Thread),
        }
    }

    fn process_time(&self) -> Option<u64> {
        Some(time::now(ClockId::Process))
    }

    fn program_page(&self) -> Option<Source> {
        Some(Source::Platform { address: vdso::page() })
    }
}

/// The machine's [`machine::Alarm`]: a timer of the host for each processor.
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
        if !Timer::Alarm.set(deadline) {
            // The alarm is early, so whoever waits for it looks again and again.
            per_cpu::current().pending.store(true, Relaxed);
        }
    }
}
