//! What is on of the processor's features, on all processors alike.

use core::sync::atomic::{AtomicU8, Ordering};

use x86_64::{
    instructions,
    registers::{msr, read_msr},
};

/// What is on: bits below.
static STATE: AtomicU8 = AtomicU8::new(0);
/// The application is at ring 3.
pub const RING_3: u8 = 1;
/// The kernel must ask before it touches the application's pages.
pub const SMAP: u8 = 2;
/// FS base has instructions of its own.
pub const FS_GS_BASE: u8 = 4;

/// The application's ring.
#[inline(always)]
pub fn ring() -> u8 {
    if STATE.load(Ordering::Relaxed) & RING_3 != 0 { 3 } else { 0 }
}

/// Whether the kernel must ask before it touches the application's pages.
#[inline(always)]
pub fn guards_access() -> bool {
    STATE.load(Ordering::Relaxed) & SMAP != 0
}

/// Whether FS base has instructions of its own.
#[inline(always)]
pub fn has_fs_base() -> bool {
    STATE.load(Ordering::Relaxed) & FS_GS_BASE != 0
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
