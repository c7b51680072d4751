//! What processors want of each other: a look at new work, and an end. (Forgotten translations are the memory's.)

use core::{
    arch::asm,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};

use super::{
    area::{identity, online},
    block::{mark_pending, number},
};
use crate::apic::{
    NOTICE, SERVICE,
    local::{self, Command, Target},
};

/// All others are to stop.
static STOPPING: AtomicBool = AtomicBool::new(false);
/// A bit for each that has.
static STOPPED: AtomicU64 = AtomicU64::new(0);

/// A bit for each processor that works but this one.
pub fn others() -> u64 {
    online() & !(1 << number())
}

/// Sends a command to each of them.
pub fn send(processors: u64, command: Command) {
    let mut left = processors;
    while left != 0 {
        local::send(Target::One(identity(left.trailing_zeros() as usize)), command);
        left &= left - 1;
    }
}

/// See [`machine::Processor::notify`].
pub fn notify(processor: usize) {
    if processor == number() {
        mark_pending();
    } else if online() >> processor & 1 != 0 {
        send(1 << processor, Command::Vector(NOTICE));
    }
}

/// Those of the others that have not stopped yet.
pub fn left() -> u64 {
    others() & !STOPPED.load(Ordering::SeqCst)
}

/// Stops in the interrupt that asks for an end, if one is asked for.
pub fn stop_if_asked() {
    let here = 1 << number();
    if STOPPING.load(Ordering::SeqCst) && STOPPED.fetch_or(here, Ordering::SeqCst) & here == 0 {
        loop {
            // Interrupts stay on: devices interrupt one processor only, and whoever ends the machine may wait for one.
            // SAFETY: handlers leave this stack as it was.
            unsafe { asm!("sti", "hlt", "cli", options(nostack)) };
        }
    }
}

/// Has all other processors stop where they hold no lock: before they go back to their application, or when they idle.
/// Does not wait for them.
pub fn stop_others() {
    if online() != 0 {
        STOPPING.store(true, Ordering::SeqCst);
        send(others(), Command::Vector(SERVICE));
    }
}

/// Whether another processor has all stop.
pub fn is_stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

/// Stops this processor for good.
pub fn stop_here() -> ! {
    loop {
        // SAFETY: waits for ever.
        unsafe { asm!("cli", "hlt", options(nomem, nostack)) };
    }
}
