//! Signals of the host: faults and system calls of the program, interruptions from outside, faults of our own.
//!
//! Handlers run on the signal stack with everything but faults blocked. What they do depends on where the thread was
//! ([`super::place`]): a program is moved into the kernel's entry, kernel code goes on undisturbed with work marked as
//! pending, and a thread that was just leaving looks for pending work once more.
//!
//! Those of page faults and system calls, which are most, do not return to the host: they load the vector registers
//! and jump to the kernel's entry. So nothing is blocked in them, and what comes from outside meanwhile finds the
//! kernel.

use core::arch::global_asm;

use super::{fault, outside};
use crate::{
    host::{
        HostError, frame,
        signal::{self, ALARM, CALL, FORWARDED, SIGTSTP},
    },
    per_cpu::seat,
};

// A handler inherits the flags of what it interrupted but for TF and DF; with AC set, our own unaligned accesses
// would fault.
global_asm!(
    r#"
    .pushsection .text.whittle_handlers, "ax", @progbits
    .balign 16
    .globl whittle_handle_fault
whittle_handle_fault:
    push {flags}
    popfq
    jmp {fault}
    .globl whittle_handle_outside
whittle_handle_outside:
    push {flags}
    popfq
    jmp {outside}
    .popsection
"#,
    flags = const frame::CLEAN_FLAGS,
    fault = sym fault::on_fault,
    outside = sym outside::on_signal,
);

unsafe extern "C" {
    static whittle_handle_fault: u8;
    static whittle_handle_outside: u8;
}

/// Sets all handlers. The signal stack is set already.
pub fn set_handlers() -> Result<(), HostError> {
    for number in signal::FAULTS {
        // SAFETY: a handler with three arguments.
        unsafe { signal::handle(number, &raw const whittle_handle_fault as usize) }?;
    }
    for number in FORWARDED.into_iter().chain([ALARM]) {
        set_handler(number)?;
    }
    // With several processes it is the kernel's to say who is stopped by Ctrl-Z.
    if seat::several() {
        set_handler(SIGTSTP)?;
    }
    signal::ignore(signal::SIGPIPE)
}

/// Sets the handler that several processors need besides.
pub fn set_handler_of_calls() -> Result<(), HostError> {
    set_handler(CALL)
}

fn set_handler(number: u8) -> Result<(), HostError> {
    // SAFETY: a handler with three arguments.
    unsafe { signal::handle(number, &raw const whittle_handle_outside as usize) }
}
