//! Where a context goes when the processor has left it on an interrupt stack.

use machine::Context;

use super::{call, dispatch::FIRST_INTERRUPT};
use crate::{
    layout::in_kernel_text,
    per_cpu::{self, kernel_stack_top, stacks},
};

/// Bytes below the interrupted stack pointer that are left alone: the System V ABI's red zone, for code that was not
/// compiled without one.
const RED_ZONE: usize = 128;
/// Least room on a kernel stack for handling a fault of a user copy.
const ROOM: usize = 8 << 10;

/// Whether the application was interrupted, not the kernel. At ring 0 neither code segment nor the fault's bits tell
/// them apart, only the kernel's text does: an application may have jumped anywhere else.
pub fn is_application(context: &Context) -> bool {
    context.cs & 3 == 3 || per_cpu::ring() == 0 && !in_kernel_text(context.rip as usize)
}

/// Moves the context from the interrupt stack to where it can stay; returns its new, 16-byte aligned place. Called on
/// the interrupt stack, so it must not fault.
pub extern "C" fn leave_interrupt_stack(context: &mut Context, vector: u64) -> *mut Context {
    if vector >= FIRST_INTERRUPT {
        call::step_back(context);
    }
    let place = place_for(context, vector);
    // SAFETY: the place is on a kernel stack, free by `place_for`, and apart from the interrupt stack.
    unsafe { place.write(*context) };
    place
}

fn place_for(context: &Context, vector: u64) -> *mut Context {
    let top = kernel_stack_top();
    if is_application(context) {
        return below(top);
    }
    let used_down_to = context.rsp as usize;
    if (top - stacks::KERNEL_STACK + ROOM..=top).contains(&used_down_to) {
        return below(used_down_to - RED_ZONE);
    }
    // The stack is the application's still, or again: nothing is on the kernel's.
    if call::is_between(context.rip as usize) {
        return below(top);
    }
    // The kernel's stack is used up, or not where it should be.
    super::dispatch::fatal(context, vector)
}

fn below(address: usize) -> *mut Context {
    ((address - size_of::<Context>()) & !15) as *mut Context
}
