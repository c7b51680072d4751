//! The stacks that exist from the start, as `boot/entry.s` lays them out: each above a page that is never mapped. Other
//! processors have theirs in the same order in their areas.

use super::area;
use crate::layout;

/// Bytes of the boot thread's kernel stack, and of any kernel stack.
pub const KERNEL_STACK: usize = 32 << 10;
/// Bytes of an interrupt stack. Handlers leave it at once.
pub const INTERRUPT_STACK: usize = 4 << 10;
/// Bytes of the stack on which the kernel dies.
pub const LAST_STACK: usize = 16 << 10;
/// Interrupt stacks, numbered from 1 as the processor does (Intel SDM volume 3, 6.14.5).
pub const INTERRUPT_STACKS: usize = 6;

const GUARD: usize = machine::PAGE_SIZE;

/// Bytes of a processor's interrupt stacks and of its last one, with their guard pages.
pub const INTERRUPT_AREA: usize = INTERRUPT_STACKS * (GUARD + INTERRUPT_STACK) + GUARD + LAST_STACK;

/// Where that area of processor `processor` begins.
fn interrupt_area(processor: usize) -> usize {
    if processor == 0 { layout::interrupt_stacks() } else { area::interrupt_area(processor) }
}

/// Top of interrupt stack `number` of a processor.
pub fn interrupt_stack_top(processor: usize, number: usize) -> usize {
    interrupt_area(processor) + number * (GUARD + INTERRUPT_STACK)
}

/// Top of the stack on which the kernel dies, if it does on this processor.
pub fn last_stack_top(processor: usize) -> usize {
    interrupt_area(processor) + INTERRUPT_AREA
}

/// A processor's interrupt stacks and its last one, lowest first: first address behind the guard page, and size.
pub fn of_interrupts(processor: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=INTERRUPT_STACKS)
        .map(move |number| (interrupt_stack_top(processor, number), INTERRUPT_STACK))
        .chain(core::iter::once((last_stack_top(processor), LAST_STACK)))
        .map(|(top, size)| (top - size, size))
}

/// The image's stacks, lowest first: first address behind the guard page, and size.
pub fn all() -> impl Iterator<Item = (usize, usize)> {
    core::iter::once((layout::boot_stack_top() - KERNEL_STACK, KERNEL_STACK)).chain(of_interrupts(0))
}
