//! Signals of the host: faults and system calls of the program, interruptions from outside, faults of our own.
//!
//! Handlers run on the signal stack with everything but faults blocked. What they do depends on where the thread was
//! ([`Place`]): a program is moved into the kernel's entry, kernel code goes on undisturbed with work marked as
//! pending, and a thread that was just leaving looks for pending work once more.

mod fault;
pub mod frame;
mod outside;

use core::{arch::global_asm, sync::atomic::Ordering::Relaxed};

pub use fault::PageError;
pub use frame::{Frame, Information};
pub use outside::{ALARM, CALL, take};

use crate::{
    block::Block,
    entry::{self, Entry},
    host::{self, HostError, process, signal},
    layout,
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
    for number in outside::FORWARDED.into_iter().chain([ALARM]) {
        set_handler(number)?;
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

/// Where a signal found the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In the program.
    Program,
    /// On the way out, in [`entry::window`].
    Leaving,
    /// In the kernel, or lost from it: the instruction may be anywhere, but the stack is the kernel's.
    Kernel,
}

fn place(frame: &Frame, block: &Block) -> Place {
    let instruction = frame.instruction();
    let stack = frame.stack();
    if entry::window().contains(&instruction) {
        Place::Leaving
    } else if layout::kernel_text().contains(&instruction) && !host::clock().contains(&instruction)
        || block.kernel_stack().contains(&stack)
        || block.signal_stack().contains(&stack)
    {
        Place::Kernel
    } else {
        Place::Program
    }
}

/// Makes the program's thread go on in the kernel.
fn enter_kernel(frame: &mut Frame, block: &Block, entry: Entry) {
    // The program may have changed GS base by itself.
    if block.has_base_instructions.load(Relaxed) {
        let address = core::ptr::from_ref(block) as usize;
        // SAFETY: the block is this processor's.
        unsafe { process::write_gs_base(address) };
    }
    let context = block.context.load(Relaxed);
    let number = match entry {
        Entry::SystemCall => Some(frame.system_call()),
        _ => None,
    };
    // SAFETY: the top of the kernel stack is kept free for the program's registers, and the kernel is not running.
    unsafe { (context as *mut machine::Context).write(frame.save(number)) };
    frame.go_on(entry.address(), context);
}

/// Sends a thread that was leaving to another entry; the saved registers are still as they were.
fn leave_again(frame: &mut Frame, block: &Block, entry: Entry) {
    frame.go_on(entry.address(), block.context.load(Relaxed));
}
