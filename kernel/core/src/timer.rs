//! The one alarm of the machine, shared out: a few named timers, each with at most one deadline.
//!
//! There is no tick. The machine's alarm is set to the earliest deadline and to nothing when there is none.

use alloc::vec::Vec;

use sync::Mutex;

/// Names a timer. The layer above numbers its own from 0; [`TimerId::SLEEP`] is the core's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimerId(pub u32);

impl TimerId {
    /// Ends the wait of the thread that sleeps.
    pub(crate) const SLEEP: Self = Self(u32::MAX);
}

#[derive(Clone, Copy, Debug)]
struct Armed {
    deadline: u64,
    id: TimerId,
}

/// A handful at most: a linear list beats anything cleverer.
static ARMED: Mutex<Vec<Armed>> = Mutex::new(Vec::new());

/// Gives timer `id` a new deadline in nanoseconds of the monotonic clock, or takes it away.
pub fn set(id: TimerId, deadline: Option<u64>) {
    let mut armed = ARMED.lock();
    if let Some(index) = armed.iter().position(|timer| timer.id == id) {
        armed.swap_remove(index);
    }
    if let Some(deadline) = deadline {
        armed.push(Armed { deadline, id });
    }
    contracts::alarm::set(earliest(&armed));
}

/// Removes and returns a timer whose deadline has passed.
pub fn take_expired() -> Option<TimerId> {
    let mut armed = ARMED.lock();
    if armed.is_empty() {
        return None;
    }
    let now = contracts::clock::monotonic();
    let index = armed.iter().position(|timer| timer.deadline <= now && timer.id != TimerId::SLEEP);
    let expired = index.map(|index| armed.swap_remove(index).id);
    // The alarm is one-shot: whatever rang it, the next deadline needs a new one.
    contracts::alarm::set(earliest(&armed));
    expired
}

fn earliest(armed: &[Armed]) -> Option<u64> {
    armed.iter().map(|timer| timer.deadline).min()
}
