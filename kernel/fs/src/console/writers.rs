//! Whether the terminal stops those who write in the background (TOSTOP).

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use contracts::console;

use super::terminal;

/// The terminal's attributes say TOSTOP. One look at it is all that a write costs without.
static STOPS_WRITERS: AtomicBool = AtomicBool::new(false);

/// Several processes begin, of whom some may write in the background. Whether there is a terminal.
pub fn begin() -> bool {
    let attributes = terminal::stream().map(console::attributes);
    if let Some(Ok(attributes)) = attributes {
        note(&attributes);
    }
    attributes.is_some()
}

/// The terminal has these attributes from now on.
pub(super) fn note(attributes: &[u8; 36]) {
    // Its local flags are the fourth word of `struct termios`.
    const LOCAL_FLAGS: usize = 12;
    const TOSTOP: u32 = 0o400;
    if contracts::config().processes {
        let flags = u32::from_ne_bytes(core::array::from_fn(|index| attributes[LOCAL_FLAGS + index]));
        STOPS_WRITERS.store(flags & TOSTOP != 0, Relaxed);
    }
}

/// Whether it has to be asked who may write.
#[inline]
pub(super) fn stops_writers() -> bool {
    contracts::config().processes && STOPS_WRITERS.load(Relaxed)
}
