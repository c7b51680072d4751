//! The local APIC timer: each processor's alarm, and at ring 0 the watchdog of halted applications.
//!
//! `hlt` is how code dies (musl's `a_crash`, the end of glibc's `abort`). At ring 3 it faults; at ring 0 it stops the
//! processor until an interrupt comes, and without an alarm none would. So while an application runs at ring 0 the
//! timer fires every [`WATCH`] at the latest, and `entry::halt` looks at what it interrupted. A program that ends
//! sooner never meets it; one that waits in the kernel is woken by it once at most, for it is not set again there.

use crate::{
    apic::local,
    clock,
    per_cpu::{NO_ALARM, alarm, mark_pending, ring, set_alarm, set_watching, watching},
};

/// Nanoseconds between two looks at an application at ring 0.
const WATCH: u64 = 50_000_000;
/// Provider of the contract `alarm`.
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
        set_alarm(deadline.unwrap_or(NO_ALARM));
        set_timer(watching());
    }
}

/// An application is about to run for the first time.
pub fn application_starts() {
    watch();
}

/// The kernel has waited, and the application may go on.
pub fn idle_ends() {
    watch();
}

fn watch() {
    if ring() == 0 && !watching() {
        set_timer(true);
    }
}

/// The timer's interrupt. `application` says whether it interrupted the application.
pub fn fired(application: bool) {
    set_watching(false);
    let alarm = alarm();
    if alarm != NO_ALARM && clock::monotonic() >= alarm {
        set_alarm(NO_ALARM);
        mark_pending();
    }
    set_timer(application && ring() == 0);
}

/// Sets the timer for the alarm and, if wanted, the watch, whichever comes first.
fn set_timer(watching: bool) {
    set_watching(watching);
    let alarm = alarm();
    if alarm == NO_ALARM && watching {
        return start(WATCH);
    }
    if alarm == NO_ALARM {
        return stop();
    }
    let left = alarm.saturating_sub(clock::monotonic());
    start(if watching { left.min(WATCH) } else { left });
}

/// Fires after this many nanoseconds; the counting timer may fire early, because it counts 32 bits.
fn start(nanoseconds: u64) {
    if local::has_deadline() {
        return local::set_deadline(clock::time_stamp_after(nanoseconds));
    }
    let ticks = clock::apic_ticks(nanoseconds);
    local::set_count(ticks.clamp(1, u64::from(u32::MAX)) as u32);
}

fn stop() {
    if local::has_deadline() { local::set_deadline(0) } else { local::set_count(0) }
}
