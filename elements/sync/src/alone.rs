//! Whether this is the only processor: then nobody can come in between a look and a change, and neither a lock nor a
//! wait needs an exchange.

use core::sync::atomic::{AtomicBool, Ordering};

/// Whether others than this processor may take locks.
static SHARED: AtomicBool = AtomicBool::new(true);

/// Says that this is the only processor, and that nothing that takes locks interrupts it, until somebody says
/// [`crate::on_spin`]. For a kernel, first of all.
pub fn alone() {
    SHARED.store(false, Ordering::Relaxed);
}

/// Whether this is the only processor still, as [`alone`] said.
#[must_use]
#[inline(always)]
pub fn is_alone() -> bool {
    !SHARED.load(Ordering::Relaxed)
}

/// There will be other processors.
pub(crate) fn shared() {
    SHARED.store(true, Ordering::Release);
}
