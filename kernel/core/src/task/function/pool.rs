//! Slots that are free.

use core::cell::Cell;

use super::{NoRoom, Options, slot::Slot};
use crate::task::registers;

/// Free slots with stacks of the usual size, and the number that the next thread gets.
struct Pool {
    first: Cell<Option<&'static Slot>>,
    count: Cell<usize>,
    identity: Cell<u64>,
}

// SAFETY: one processor, and threads are not interrupted.
unsafe impl Sync for Pool {}

/// As many as are kept: what a burst of threads needed goes back to the heap.
const MOST: usize = 64;

static POOL: Pool = Pool { first: Cell::new(None), count: Cell::new(0), identity: Cell::new(1) };

/// The smallest stack: a function that prints needs about as much.
const LEAST: usize = 2 << 10;

/// The image's usual size of a stack.
#[inline]
fn usual() -> usize {
    contracts::config().thread_stack.max(LEAST)
}

/// A slot whose stack has `more` bytes beyond what was asked for, if that is much.
#[inline]
pub(super) fn take(options: &mut Options, more: usize, start: fn() -> !) -> Result<&'static Slot, NoRoom> {
    const MUCH: usize = 512;
    if contracts::scheduler::capacity() < 2 {
        return Err(NoRoom);
    }
    let more = if more > MUCH { more } else { 0 };
    let plain = options.stack == 0 && more == 0;
    let slot = match POOL.first.get().filter(|_| plain) {
        Some(slot) => {
            POOL.first.set(slot.next.take());
            POOL.count.set(POOL.count.get() - 1);
            slot
        }
        None => make(options.stack, more, start)?,
    };
    let identity = POOL.identity.get() + 1;
    POOL.identity.set(identity);
    slot.identity.set(identity);
    if options.name.is_some() {
        // SAFETY: nobody has a handle yet.
        unsafe { *slot.name.get() = options.name.take() };
    }
    if options.vectors {
        registers::inherit(slot.thread(), 0);
    }
    Ok(slot)
}

#[cold]
fn make(stack: usize, more: usize, start: fn() -> !) -> Result<&'static Slot, NoRoom> {
    let wanted = if stack == 0 { usual() } else { stack.max(LEAST) };
    let size = wanted.checked_add(more).and_then(|size| size.checked_next_multiple_of(64)).ok_or(NoRoom)?;
    Slot::make(size, start).ok_or(NoRoom)
}

/// An owner goes; with the last one the slot is free.
#[inline]
pub(super) fn give_up(slot: &'static Slot) {
    let owners = slot.owners.get() - 1;
    slot.owners.set(owners);
    if owners == 0 {
        put(slot);
    }
}

fn put(slot: &'static Slot) {
    // SAFETY: nobody has a handle any more.
    if let Some(name) = unsafe { &mut *slot.name.get() }.take() {
        drop(name);
    }
    let keeps = slot.stack.1 == usual().next_multiple_of(64) && !slot.thread().registers.exist();
    if !keeps || POOL.count.get() >= MOST {
        return slot.free();
    }
    slot.next.set(POOL.first.get());
    POOL.first.set(Some(slot));
    POOL.count.set(POOL.count.get() + 1);
}
