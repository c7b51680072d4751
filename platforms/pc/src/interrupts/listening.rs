//! Processors that wait for a device without going back to the kernel's core: devices interrupt the one that boots
//! only, which tells them.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::per_cpu::{number, smp};

/// A bit for each of them.
static LISTENING: AtomicU64 = AtomicU64::new(0);

/// From now on, this processor leaves `processor::idle` after each interrupt of a device, or does so no more.
pub fn listen(on: bool) {
    let bit = 1 << number();
    if on {
        LISTENING.fetch_or(bit, Ordering::SeqCst)
    } else {
        LISTENING.fetch_and(!bit, Ordering::SeqCst)
    };
}

/// A device has interrupted this processor, which knows already.
pub(super) fn tell() {
    let mut others = LISTENING.load(Ordering::SeqCst) & !(1 << number());
    while others != 0 {
        smp::notify(others.trailing_zeros() as usize);
        others &= others - 1;
    }
}
