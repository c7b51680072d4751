//! Slots that are free.

use alloc::vec::Vec;
use core::cell::Cell;

use sched::Parameters;

use super::{
    NoRoom, Options,
    slot::{self, Slot},
};
use crate::task::registers;

/// Free slots with stacks of the usual size, and the number that the next thread gets that is asked for one.
struct Pool {
    first: Cell<Option<&'static Slot>>,
    count: Cell<usize>,
    identity: Cell<u64>,
}

// SAFETY: one processor, and threads are not interrupted.
unsafe impl Sync for Pool {}

/// As many as are kept: what a burst of threads needed goes back to the heap.
const MOST: usize = 64;
/// What a function may capture on a stack of the usual size.
const MUCH: usize = 512;

static POOL: Pool = Pool { first: Cell::new(None), count: Cell::new(0), identity: Cell::new(1) };

/// The smallest stack: a function that prints needs about as much.
const LEAST: usize = 2 << 10;

/// The image's usual size of a stack.
#[inline]
fn usual() -> usize {
    contracts::config().thread_stack.max(LEAST)
}

/// A number that no thread has yet.
pub(super) fn identity() -> u64 {
    POOL.identity.set(POOL.identity.get() + 1);
    POOL.identity.get()
}

/// A slot whose stack has `more` bytes beyond what was asked for, if that is much.
#[inline(always)]
pub(super) fn take(options: &mut Options, more: usize) -> Result<&'static Slot, NoRoom> {
    let plain = options.stack == 0 && options.name.is_none() && !options.vectors && options.parameters.is_none();
    let plain = plain && more <= MUCH;
    match POOL.first.get() {
        Some(slot) if plain => {
            pop(slot);
            Ok(slot)
        }
        _ => take_special(options, if more > MUCH { more } else { 0 }),
    }
}

/// Takes the first one.
#[inline(always)]
fn pop(first: &'static Slot) {
    POOL.first.set(first.next.get());
    POOL.count.set(POOL.count.get() - 1);
}

/// A slot for a thread that wants something special, or the first of its kind.
#[cold]
#[inline(never)]
fn take_special(options: &mut Options, more: usize) -> Result<&'static Slot, NoRoom> {
    slot::running();
    if contracts::scheduler::capacity() < 2 {
        return Err(NoRoom);
    }
    let slot = match POOL.first.get() {
        Some(slot) if options.stack == 0 && more == 0 => {
            pop(slot);
            slot
        }
        _ => make(options.stack, more)?,
    };
    if options.name.is_some() {
        // SAFETY: nobody has a handle yet.
        unsafe { *slot.name.get() = options.name.take() };
        slot.special.set(true);
    }
    if options.vectors {
        registers::inherit(slot.thread(), Vec::new(), 0);
        slot.special.set(true);
    }
    if let Some(parameters) = options.parameters {
        slot.say(parameters);
    }
    Ok(slot)
}

fn make(stack: usize, more: usize) -> Result<&'static Slot, NoRoom> {
    let wanted = if stack == 0 { usual() } else { stack.max(LEAST) };
    let size = wanted.checked_add(more).and_then(|size| size.checked_next_multiple_of(64)).ok_or(NoRoom)?;
    let slot = Slot::make(size).ok_or(NoRoom)?;
    slot.special.set(!has_usual_stack(slot));
    Ok(slot)
}

fn has_usual_stack(slot: &Slot) -> bool {
    slot.stack.1 == usual().next_multiple_of(64)
}

/// A handle goes; with the last owner the slot is free.
#[inline]
pub(super) fn give_up(slot: &'static Slot) {
    if is_last(slot) && !keep(slot) {
        slot.free();
    }
}

/// The thread of this slot is about to leave its stack for good; whether the slot is to be freed when it has.
#[inline(always)]
pub(super) fn leave(slot: &'static Slot) -> bool {
    // One that is kept can be taken at once: who takes it runs on another stack.
    is_last(slot) && !keep(slot)
}

#[inline(always)]
fn is_last(slot: &Slot) -> bool {
    slot.owners.set(slot.owners.get() - 1);
    slot.owners.get() == 0
}

/// Keeps a free slot for the next thread; `false`: there are enough, or it is none of the usual.
#[inline(always)]
fn keep(slot: &'static Slot) -> bool {
    if POOL.count.get() >= MOST || (slot.special.get() && !make_usual(slot)) {
        return false;
    }
    slot.next.set(POOL.first.get());
    POOL.first.set(Some(slot));
    POOL.count.set(POOL.count.get() + 1);
    true
}

/// Makes a slot like the others, if that can be.
#[cold]
#[inline(never)]
fn make_usual(slot: &'static Slot) -> bool {
    // SAFETY: nobody has a handle any more.
    if let Some(name) = unsafe { &mut *slot.name.get() }.take() {
        drop(name);
    }
    let untold = slot.thread().entity().parameters() == Parameters::default();
    let usual = has_usual_stack(slot) && !slot.thread().registers.exist() && untold;
    slot.special.set(!usual);
    usual
}
