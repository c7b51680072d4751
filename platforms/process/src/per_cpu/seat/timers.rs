//! Timers of processors: the host gives them to processes, so each seat has its own.
//!
//! A processor that goes to another seat leaves the timers where they are. One that rings at a seat for a processor
//! that is elsewhere is passed on to it, or set again if it rang too early. So a child that ends soon, as most do,
//! makes none, and a later deadline than a timer has costs no call of the host's: a timer rings too early at most once
//! for each time that it is set.
//!
//! A seat notes first that its timer has rung, and then looks for those who count on it. A processor notes first which
//! one it counts on, and then looks whether that one has rung. So one of them finds the other.

use core::{
    ptr,
    sync::atomic::Ordering::{Relaxed, SeqCst},
};

use super::{Seat, moves, several};
use crate::{
    host::{
        signal::ALARM,
        time::{self, ClockId},
    },
    per_cpu::{Block, current, smp},
};

impl Seat {
    /// Sees to it that a timer rings by `deadline` for the processor that is here.
    pub(super) fn ring_by(&'static self, block: &Block, which: usize, deadline: u64) {
        if !self.rings_for(block, which, deadline) {
            // The alarm is early, so whoever waits for it looks again and again.
            block.pending.store(true, Relaxed);
        }
    }

    /// The same; `false`: the host has no timers left.
    fn rings_for(&'static self, block: &Block, which: usize, deadline: u64) -> bool {
        if block.moves.ringer(which).is_some_and(|seat| seat.rings_by(which, deadline)) {
            return true;
        }
        block.moves.set_ringer(which, self);
        self.rings_by(which, deadline) || self.set_timer(which, deadline)
    }

    /// Whether it is known that a timer of this seat rings by `deadline`.
    fn rings_by(&self, which: usize, deadline: u64) -> bool {
        let armed = self.armed[which].load(SeqCst);
        armed != 0 && armed <= deadline
    }

    /// Sets a timer of this seat, whose process the caller is in; `false`: the host has no timers left.
    fn set_timer(&self, which: usize, deadline: u64) -> bool {
        let place = &self.timers[which];
        if place.load(Relaxed) == 0 {
            if deadline == 0 {
                return true;
            }
            let Ok(made) = time::create_timer(ClockId::Monotonic, ALARM, self.thread()) else { return false };
            place.store(made + 1, Relaxed);
        }
        if several() {
            self.armed[which].store(deadline, SeqCst);
        }
        // The host takes 0 for "never".
        let set = time::set_timer(place.load(Relaxed) - 1, deadline).is_ok();
        if !set {
            self.armed[which].store(0, SeqCst);
        }
        set
    }

    /// A timer rang here: whether there is a processor that it may concern. One that was set for an earlier moment than
    /// is wanted now is set again.
    pub fn rang(&'static self) -> bool {
        if !moves() {
            return true;
        }
        self.armed.iter().for_each(|armed| armed.store(0, SeqCst));
        let here = self.processor();
        let now = time::now(ClockId::Monotonic);
        let is_here = |block: &&Block| here.is_some_and(|here| ptr::eq(here, *block));
        for block in smp::running().filter(|block| !is_here(block)) {
            self.pass_on(block, now);
        }
        let Some(block) = here else { return false };
        for (which, place) in block.moves.deadlines.iter().enumerate() {
            let deadline = place.load(Relaxed);
            if deadline > now {
                self.ring_by(block, which, deadline);
            } else {
                // The kernel is about to look, and says when it wants to look again.
                place.store(0, Relaxed);
            }
        }
        true
    }

    /// A timer rang here that a processor may count on which is elsewhere.
    #[cold]
    fn pass_on(&self, block: &Block, now: u64) {
        for (which, deadline) in self.counted_on_by(block) {
            // A host that refuses a timer sends what it would have sent, only too early.
            if deadline <= now || !(self.rings_by(which, deadline) || self.set_timer(which, deadline)) {
                block.moves.pass_ring();
                smp::call(block);
            }
        }
    }

    /// Timers of this seat's that this processor counts on, and when it wants them to ring.
    fn counted_on_by<'a>(&'a self, block: &'a Block) -> impl Iterator<Item = (usize, u64)> {
        let moves = &block.moves;
        let deadlines = moves.deadlines.iter().map(|deadline| deadline.load(SeqCst)).enumerate();
        deadlines
            .filter(|&(which, deadline)| deadline != 0 && moves.ringer(which).is_some_and(|seat| ptr::eq(seat, self)))
    }

    /// Its process is about to end, and its timers with it: processors that count on them, and are elsewhere, are to
    /// look for others.
    pub fn lose_timers(&self) {
        self.armed.iter().for_each(|armed| armed.store(0, SeqCst));
        for block in smp::running().filter(|block| !ptr::eq(block.seat(), self)) {
            if self.counted_on_by(block).next().is_some() {
                block.moves.pass_ring();
                smp::call(block);
            }
        }
    }
}

/// Sets one of this processor's timers to `deadline`, in nanoseconds of the monotonic clock; `None` stops it. `false`:
/// the host has no timers left.
pub fn set_timer(which: usize, deadline: Option<u64>) -> bool {
    let block = current();
    let deadline = deadline.map_or(0, |deadline| deadline.max(1));
    if several() {
        block.moves.deadlines[which].store(deadline, SeqCst);
    }
    if !moves() {
        return block.seat().set_timer(which, deadline);
    }
    // One that is to stop rings once for nobody.
    deadline == 0 || block.seat().rings_for(block, which, deadline)
}
