//! Processors that wait for a device without going back to the kernel's core: devices interrupt the one that boots only,
//! which tells them.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::processor;

/// A bit for each of them.
static LISTENING: AtomicU64 = AtomicU64::new(0);

/// Listens as long as it lives.
#[derive(Debug)]
#[must_use]
pub struct Listening(());

/// From now on, this processor leaves [`processor::idle`] after each interrupt of a device.
pub fn listen() -> Listening {
    LISTENING.fetch_or(1 << processor::number(), Ordering::SeqCst);
    Listening(())
}

impl Drop for Listening {
    fn drop(&mut self) {
        LISTENING.fetch_and(!(1 << processor::number()), Ordering::SeqCst);
    }
}

/// A device has interrupted this processor, which knows already.
pub(super) fn tell() {
    let mut others = LISTENING.load(Ordering::SeqCst) & !(1 << processor::number());
    while others != 0 {
        processor::notify(others.trailing_zeros() as usize);
        others &= others - 1;
    }
}
