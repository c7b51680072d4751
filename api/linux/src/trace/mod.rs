//! Traces: what the program asks of the kernel, as strace(1) prints it, and its faults.
//!
//! When nothing is traced, all this costs one compare a system call.

mod argument;
mod line;
mod text;

use core::sync::atomic::{AtomicU8, Ordering};

use crate::dispatch;

pub use line::{ended, fault, first_program, signal, system_call};

static TRACED: AtomicU8 = AtomicU8::new(0);

const SYSTEM_CALLS: u8 = 1;
const FAULTS: u8 = 2;

/// Sets what is traced: a list of words with commas between.
pub fn set(words: &str) {
    let bits = words.split(',').map(|word| match word {
        "syscalls" => SYSTEM_CALLS,
        "faults" => FAULTS,
        _ => 0,
    });
    kernel::log::set_trace_faults(words.split(',').any(|word| word == "faults"));
    TRACED.store(bits.fold(0, |all, bit| all | bit), Ordering::Relaxed);
    dispatch::trace(system_calls());
}

/// Whether system calls are traced.
#[inline(always)]
pub fn system_calls() -> bool {
    TRACED.load(Ordering::Relaxed) & SYSTEM_CALLS != 0
}

/// Whether faults are traced.
#[inline(always)]
pub fn faults() -> bool {
    TRACED.load(Ordering::Relaxed) & FAULTS != 0
}
