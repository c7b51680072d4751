//! Signals of the program's that came from outside, until the kernel takes them.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Signals that came and that nobody has taken: bit `number - 1`.
static WAITING: AtomicU64 = AtomicU64::new(0);

/// Notes that one came.
pub fn came(number: u32) {
    WAITING.fetch_or(1 << (number - 1), Relaxed);
}

/// Takes the lowest signal that waits.
pub fn take() -> Option<u8> {
    loop {
        let lowest = WAITING.load(Relaxed).trailing_zeros();
        if lowest == u64::BITS {
            return None;
        }
        // Another processor may have been faster.
        if WAITING.fetch_and(!(1 << lowest), Relaxed) >> lowest & 1 != 0 {
            return Some(lowest as u8 + 1);
        }
    }
}
