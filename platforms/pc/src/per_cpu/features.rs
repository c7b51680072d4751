//! What is on of the processor's features, on all processors alike.
//!
//! It is looked at by plain loads, which an instruction that tests can do itself; an atomic one is an instruction of
//! its own, at each copy from and to the application.

use core::sync::atomic::{AtomicU8, Ordering};

use x86_64::{
    instructions,
    registers::{msr, read_msr},
};

/// What is on: bits below. It changes at boot alone, before there are other processors.
static STATE: AtomicU8 = AtomicU8::new(0);
/// The application is at ring 3.
pub const RING_3: u8 = 1;
/// The kernel must ask before it touches the application's pages.
pub const SMAP: u8 = 2;
/// FS base has instructions of its own.
pub const FS_GS_BASE: u8 = 4;

#[inline(always)]
fn has(what: u8) -> bool {
    // SAFETY: nobody changes it behind boot, when nobody else looked.
    unsafe { *STATE.as_ptr() & what != 0 }
}

/// The application's ring.
#[inline(always)]
pub fn ring() -> u8 {
    if has(RING_3) { 3 } else { 0 }
}

/// Whether the kernel must ask before it touches the application's pages.
#[inline(always)]
pub fn guards_access() -> bool {
    has(SMAP)
}

/// Whether FS base has instructions of its own.
#[inline(always)]
pub fn has_fs_base() -> bool {
    has(FS_GS_BASE)
}

/// Says what is on.
pub fn set(state: u8) {
    STATE.store(state, Ordering::Relaxed);
}

/// The application's FS base.
pub fn thread_pointer() -> usize {
    if has_fs_base() {
        return instructions::fs_base() as usize;
    }
    // SAFETY: the register exists in long mode.
    unsafe { read_msr(msr::FS_BASE) as usize }
}
