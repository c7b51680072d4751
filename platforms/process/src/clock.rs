//! Time: the host's clocks, and timers of the host's as alarms.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use machine::Source;

use crate::{
    host::time::{self, ClockId},
    per_cpu::{self, Block, smp},
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
        per_cpu::seat::set_timer(self as usize, deadline)
    }
}

/// The host's function that reads its clocks in place (vdso(7)), which takes a tenth of a system call: its address.
static FUNCTION: AtomicUsize = AtomicUsize::new(UNKNOWN);
/// Nobody has looked for it: a machine that asks for no time need not.
const UNKNOWN: usize = 0;
/// There is none, or none that does without a system call.
const NONE: usize = 1;

/// Nanoseconds on the host's monotonic clock, or on its wall clock.
pub fn now(clock: ClockId) -> u64 {
    let function = match FUNCTION.load(Relaxed) {
        UNKNOWN => find(),
        function => function,
    };
    let read = if function == NONE { None } else { in_place(function, clock) };
    read.unwrap_or_else(|| time::now(clock))
}

#[cold]
fn find() -> usize {
    // Before the host's object is known there is none for now.
    let Some(function) = vdso::clock_function() else { return NONE };
    FUNCTION.store(function, Relaxed);
    function
}

/// By the function. Signals that find us in it find the kernel, wherever its stack is.
fn in_place(function: usize, clock: ClockId) -> Option<u64> {
    let reads = &per_cpu::current().reads_clock;
    let before = reads.load(Relaxed);
    reads.store(true, Relaxed);
    // SAFETY: it is the host's function of this name.
    let time = unsafe { time::now_by(function, clock) };
    reads.store(before, Relaxed);
    time
}

/// The function has made a system call: it is not used again. The result of that call: an error, ENOSYS.
#[cold]
pub fn no_function() -> i64 {
    FUNCTION.store(NONE, Relaxed);
    -38
}

/// A processor's time, where its host thread has had `thread`.
fn time_of(block: &Block, thread: u64) -> u64 {
    if per_cpu::seat::several() { block.moves.time(thread) } else { thread }
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
        now(ClockId::Monotonic)
    }

    fn wall(&self) -> u64 {
        now(ClockId::Wall)
    }

    fn processor_time(&self, number: usize) -> u64 {
        let here = per_cpu::current();
        let Some(other) = smp::other(number) else { return time_of(here, time::now(ClockId::Thread)) };
        let (process, thread) = other.host();
        if process == here.host().0 {
            return time_of(other, time::of_thread(thread));
        }
        // The host tells nobody of a thread of another process.
        other.moves.time_of_arrival()
    }

    fn process_time(&self) -> Option<u64> {
        // Where there may be several, what the host counts of one of its processes is no program's time.
        (!per_cpu::seat::moves()).then(|| time::now(ClockId::Process))
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
