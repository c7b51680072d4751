//! Timers of processors: the host gives them to processes, so each seat has its own.

use core::sync::atomic::Ordering::Relaxed;

use super::{Seat, moves, several};
use crate::{
    host::{
        signal::ALARM,
        time::{self, ClockId},
    },
    per_cpu::{Block, current},
};

impl Seat {
    /// Sets a timer again for the processor that is here.
    pub(super) fn set_again(&self, block: &Block, which: usize, deadline: u64) {
        if !self.set_timer(which, deadline) {
            // The alarm is early, so whoever waits for it looks again and again.
            block.pending.store(true, Relaxed);
        }
    }

    /// Sets a timer of the processor that is here; `false`: the host has no timers left.
    fn set_timer(&self, which: usize, deadline: u64) -> bool {
        let place = &self.timers[which];
        if place.load(Relaxed) == 0 {
            if deadline == 0 {
                return true;
            }
            let Ok(made) = time::create_timer(ClockId::Monotonic, ALARM) else { return false };
            place.store(made + 1, Relaxed);
        }
        if several() {
            self.armed[which].store(deadline, Relaxed);
        }
        // The host takes 0 for "never".
        time::set_timer(place.load(Relaxed) - 1, deadline).is_ok()
    }

    /// A timer rang here: whether there is a processor that it may concern. One that was set for an earlier moment than is
    /// wanted now is set again.
    pub fn rang(&self) -> bool {
        if !moves() {
            return true;
        }
        self.armed.iter().for_each(|armed| armed.store(0, Relaxed));
        let Some(block) = self.processor() else { return false };
        let now = time::now(ClockId::Monotonic);
        for (which, place) in block.moves.deadlines.iter().enumerate() {
            let deadline = place.load(Relaxed);
            if deadline > now {
                self.set_again(block, which, deadline);
            } else {
                // The kernel is about to look, and says when it wants to look again.
                place.store(0, Relaxed);
            }
        }
        true
    }
}

/// Sets one of this processor's timers to `deadline`, in nanoseconds of the monotonic clock; `None` stops it. `false`: the
/// host has no timers left.
pub fn set_timer(which: usize, deadline: Option<u64>) -> bool {
    let block = current();
    let deadline = deadline.map_or(0, |deadline| deadline.max(1));
    if several() {
        block.moves.deadlines[which].store(deadline, Relaxed);
    }
    block.seat().set_timer(which, deadline)
}
