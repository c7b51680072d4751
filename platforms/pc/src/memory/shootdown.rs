//! TLB shootdown: processors that forget translations, or leave an address space, because another one wants it.
//!
//! A processor that wants translations forgotten waits until all others have done it, with interrupts off and perhaps
//! with locks held. So whoever waits for a lock answers too (`sync::on_spin`), and code that waits in any other way
//! calls [`sync::relax`].

use core::{
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering},
};

use machine::PageRange;
use sync::Mutex;

use super::{Space, flush::forget};
use crate::{
    apic::{SERVICE, local::Command},
    per_cpu::{
        area::online,
        number,
        smp::{others, send},
    },
};

/// Held by the one that waits for others to forget.
static ASKING: Mutex<()> = Mutex::new(());
/// A bit for each processor that has yet to forget, and what.
static ASKED: AtomicU64 = AtomicU64::new(0);
static START: AtomicUsize = AtomicUsize::new(0);
static END: AtomicUsize = AtomicUsize::new(0);
/// The address space that they are to leave instead, if there is one.
static LEFT: AtomicPtr<Space> = AtomicPtr::new(ptr::null_mut());

/// Has all other processors forget their translations of `range` of `space`, and of the tables on the way there;
/// returns when they have. This processor has forgotten its own already. What the translations led to is given back
/// only afterwards.
#[inline(always)]
pub fn shoot_down(space: &Space, range: &PageRange) {
    if online() != 0 {
        ask(others() & space.processors(), range, ptr::null_mut());
    }
}

/// Has all other processors leave `space`, which ends; returns when none translates by it.
pub fn have_leave(space: &Space) {
    if online() != 0 {
        ask(others() & space.processors(), &(0..0), ptr::from_ref(space).cast_mut());
    }
}

/// See [`machine::Processor::synchronize`]: the others load their tables anew, which is a barrier for memory and for
/// instructions (Intel SDM volume 3, 10.3).
pub fn synchronize() {
    if online() != 0 {
        ask(others(), &(0..usize::MAX), ptr::null_mut());
    }
}

#[cold]
#[inline(never)]
fn ask(processors: u64, range: &PageRange, left: *mut Space) {
    let _asking = ASKING.lock();
    START.store(range.start, Ordering::Relaxed);
    END.store(range.end, Ordering::Relaxed);
    LEFT.store(left, Ordering::Relaxed);
    ASKED.store(processors, Ordering::SeqCst);
    send(processors, Command::Vector(SERVICE));
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
