//! What processors want of each other: a look at new work, forgotten translations, and an end.
//!
//! A processor that wants translations forgotten waits until all others have done it, with interrupts off and perhaps
//! with locks held. So whoever waits for a lock answers too (`sync::on_spin`), and code that waits in any other way calls
//! [`sync::relax`].

use core::{
    arch::asm,
    ptr,
    sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering},
};

use machine::PageRange;
use sync::Mutex;
use x86_64::instructions::time_stamp;

use super::{
    others::{identity, online},
    per_processor::{mark_pending, number},
};
use crate::{
    interrupts::{
        NOTICE, SERVICE,
        local_apic::{self, Command, Target},
    },
    memory::{Space, forget},
};

/// Held by the one that waits for others to forget.
static ASKING: Mutex<()> = Mutex::new(());
/// A bit for each processor that has yet to forget, and what.
static ASKED: AtomicU64 = AtomicU64::new(0);
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// The address space that they are to leave instead, if there is one.
static LEFT: AtomicPtr<Space> = AtomicPtr::new(ptr::null_mut());

/// All others are to stop.
static STOPPING: AtomicBool = AtomicBool::new(false);
/// A bit for each that has.
static STOPPED: AtomicU64 = AtomicU64::new(0);

/// A bit for each processor that works but this one.
fn others() -> u64 {
    online() & !(1 << number())
}

fn send(processors: u64, command: Command) {
    let mut left = processors;
    while left != 0 {
        local_apic::send(Target::One(identity(left.trailing_zeros() as usize)), command);
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

/// Has all other processors forget their translations of `range` of `space`, and of the tables on the way there; returns
/// when they have. This processor has forgotten its own already. What the translations led to is given back only afterwards.
#[inline(always)]
pub fn shoot_down(space: &Space, range: &PageRange) {
    if online() != 0 {
        ask_others(space, range, ptr::null_mut());
    }
}

/// Has all other processors leave `space`, which ends; returns when none translates by it.
pub fn have_leave(space: &Space) {
    if online() != 0 {
        ask_others(space, &(0..0), ptr::from_ref(space).cast_mut());
    }
}

#[cold]
fn ask_others(space: &Space, range: &PageRange, left: *mut Space) {
    let _asking = ASKING.lock();
    let others = others() & space.processors();
    START.store(range.start, Ordering::Relaxed);
    END.store(range.end, Ordering::Relaxed);
    LEFT.store(left, Ordering::Relaxed);
    ASKED.store(others, Ordering::SeqCst);
    send(others, Command::Vector(SERVICE));
    while ASKED.load(Ordering::Acquire) != 0 {
        core::hint::spin_loop();
    }
}

/// Does what another processor may be waiting for. Interrupts are off.
pub fn serve() {
    let here = 1 << number();
    if ASKED.load(Ordering::Acquire) & here != 0 {
        // SAFETY: null, or a space whose last owner waits in `have_leave`.
        match unsafe { LEFT.load(Ordering::Relaxed).as_ref() } {
            Some(space) => space.leave(),
            None => forget(&(START.load(Ordering::Relaxed)..END.load(Ordering::Relaxed))),
        }
        ASKED.fetch_and(!here, Ordering::Release);
    }
}

/// The interrupt that asks for [`serve`], or for an end.
pub fn serve_interrupt() {
    serve();
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

/// Has all other processors stop, wherever they are, but where they hold no lock if they come there soon.
pub fn stop_others_now() {
    /// Time stamps to wait before the interrupt that nobody can refuse: some milliseconds.
    const PATIENCE: u64 = 20_000_000;
    if online() == 0 {
        return;
    }
    stop_others();
    let begin = time_stamp();
    let left = || others() & !STOPPED.load(Ordering::SeqCst);
    while left() != 0 && time_stamp().wrapping_sub(begin) < PATIENCE {
        serve();
        core::hint::spin_loop();
    }
    send(left(), Command::NotMaskable);
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
