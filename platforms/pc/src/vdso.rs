//! The vDSO: a page of functions that tell a program the time, and its processor, without a system call (vdso(7)).
//!
//! It stands at the start of the boot code's page (`link.ld`), which is the program's to read and execute: so it
//! costs no frame and no copy. What the functions read is written through the direct map.

use core::{arch::global_asm, sync::atomic::AtomicU64};

use crate::{memory::direct, per_cpu::PROCESSOR_SEGMENT};

global_asm!(
    ".pushsection .vdso, \"a\", @progbits",
    include_str!("../../../architecture/x86_64/src/vdso/object.s"),
    include_str!("vdso.s"),
    include_str!("../../../architecture/x86_64/src/vdso/functions.s"),
    ".popsection",
    segment = const PROCESSOR_SEGMENT,
);

unsafe extern "C" {
    safe static whittle_vdso: u8;
    safe static whittle_vdso_words: u8;
}

/// What the functions read.
#[repr(C)]
#[derive(Debug)]
pub struct Words {
    /// Time stamp at the machine's start.
    pub start: AtomicU64,
    /// Nanoseconds a tick, times 2^32; 0 as long as nobody has found out.
    pub scale: AtomicU64,
    /// Nanoseconds since 1970 at the machine's start.
    pub wall: AtomicU64,
}

/// The page's address in the direct map.
pub fn page() -> usize {
    direct(&raw const whittle_vdso as usize) as usize
}

/// The page's words.
pub fn words() -> &'static Words {
    let words: *const Words = direct(&raw const whittle_vdso_words as usize).cast();
    // SAFETY: the direct map has them for ever, aligned by the assembler, and they are atomic.
    unsafe { &*words }
}
