//! Whether this is the only processor: then nobody can come in between a look and a change, and neither a lock nor a
//! wait needs an exchange.
//!
//! Unsafe: it is looked at by a plain load, which an instruction that compares can do itself; an atomic one is an
//! instruction of its own, at each lock.
#![allow(unsafe_code)]

use core::{
    marker::PhantomData,
    sync::atomic::{AtomicBool, Ordering},
};

/// Whether others than this processor may take locks. It changes only while they may not: nobody looks meanwhile.
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
    // SAFETY: whoever changes it is alone (`alone` was promised so, and `shared` looks), and others are started behind
    // that.
    unsafe { !*SHARED.as_ptr() }
}

/// Says that this is the only processor, to those who take several locks and ask once. Not to be kept beyond what is
/// done under them: there may be others one day.
#[derive(Clone, Copy, Debug)]
pub struct Alone(PhantomData<*const ()>);

impl Alone {
    /// Whether it is.
    #[must_use]
    #[inline(always)]
    pub fn now() -> Option<Self> {
        is_alone().then_some(Self(PhantomData))
    }
}

/// There will be other processors.
pub(crate) fn shared() {
    if is_alone() {
        SHARED.store(true, Ordering::Release);
    }
}
