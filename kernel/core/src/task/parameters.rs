//! What can be said about how a thread is scheduled.

use sched::Parameters;

use super::{
    Thread, current, schedule,
    spawn::{processors, start_processors},
    yield_now,
};

/// A thread's class, priority and nice value.
#[must_use]
pub fn parameters(thread: &Thread) -> Parameters {
    thread.entity().parameters()
}

/// Sets them. Who should run now does when the caller leaves the kernel.
pub fn set_parameters(thread: &Thread, parameters: Parameters) {
    schedule::tell(contracts::scheduler::set_parameters(thread.entity(), parameters));
}

/// The processors that are there: bit n is processor n.
fn all() -> u64 {
    u64::MAX >> (u64::BITS - processors().clamp(1, 64) as u32)
}

/// The processors that a thread may run on.
#[must_use]
pub fn affinity(thread: &Thread) -> u64 {
    thread.entity().affinity() & all()
}

/// Sets them; `false`, and nothing changes, if none of them is there. The running thread has moved when this returns.
pub fn set_affinity(thread: &Thread, wanted: u64) -> bool {
    if wanted & all() == 0 {
        return false;
    }
    if processors() > 1 {
        start_processors();
    }
    let here = contracts::processor::number() as u32;
    schedule::tell(contracts::scheduler::set_affinity(thread.entity(), wanted, here));
    if core::ptr::eq(thread, current()) && wanted >> here & 1 == 0 {
        yield_now();
    }
    true
}
