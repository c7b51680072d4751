//! Where a signal finds the thread, and where its handler sends it.

use core::sync::atomic::Ordering::Relaxed;

use super::way::{self, Entry};
use crate::{
    host::{self, frame::Frame, process, signal},
    layout,
    per_cpu::Block,
};

/// Where a signal found the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the program.
    Program,
    /// On the way out: [`way::is_leaving`].
    Leaving,
    /// In the kernel, or lost from it: the instruction may be anywhere, but the stack is the kernel's.
    Kernel,
}

/// Where this frame says.
pub fn place(frame: &Frame, block: &Block) -> Place {
    let instruction = frame.instruction();
    let stack = frame.stack();
    if way::is_leaving(instruction) {
        Place::Leaving
    } else if layout::kernel_text().contains(&instruction) && !host::clock().contains(&instruction)
        || block.reads_clock.load(Relaxed)
        || block.kernel_stack().contains(&stack)
        || block.signal_stack().contains(&stack)
    {
        Place::Kernel
    } else {
        Place::Program
    }
}

/// Has GS base lead to the block: the program may have changed it by itself.
pub fn take_base(block: &Block) {
    if block.has_base_instructions.load(Relaxed) {
        let address = core::ptr::from_ref(block) as usize;
        // SAFETY: the block is this processor's.
        unsafe { process::write_gs_base(address) };
    }
}

/// Makes the program's thread go on in the kernel, when the handler has returned.
pub fn enter_kernel(frame: &mut Frame, block: &Block, entry: Entry) {
    save(frame, block, entry);
    frame.go_on(entry.address(), block.context.load(Relaxed));
}

/// The same for faults and calls of the program, without returning where that can be.
pub fn enter_kernel_at_once(signal: u32, frame: &mut Frame, block: &Block, entry: Entry) {
    save(frame, block, entry);
    if signal::enters_at_once(signal) {
        // SAFETY: the kernel is not running, so its stack is free below the program's registers, which were just saved
        // there. The handler blocks nothing.
        unsafe { frame.go_on_at_once(entry.address(), block.context.load(Relaxed)) };
    }
    frame.go_on(entry.address(), block.context.load(Relaxed));
}

/// Puts the program's registers where the kernel expects them.
fn save(frame: &Frame, block: &Block, entry: Entry) {
    take_base(block);
    let context = block.context.load(Relaxed);
    let number = match entry {
        Entry::SystemCall => Some(frame.system_call()),
        _ => None,
    };
    // SAFETY: the top of the kernel stack is kept free for the program's registers, and the kernel is not running.
    unsafe { (context as *mut machine::Context).write(frame.save(number)) };
}

/// Sends a thread that was leaving to another entry; the saved registers are still as they were.
pub fn leave_again(frame: &mut Frame, block: &Block, entry: Entry) {
    frame.go_on(entry.address(), block.context.load(Relaxed));
}
