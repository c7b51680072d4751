//! The stacks that exist from the start, as `boot/entry.s` lays them out: each above a page that is never mapped.

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

/// Top of interrupt stack `number`.
pub fn interrupt_stack_top(number: usize) -> usize {
    layout::interrupt_stacks() + number * (GUARD + INTERRUPT_STACK)
}

/// Top of the stack on which the kernel dies.
pub fn last_stack_top() -> usize {
    interrupt_stack_top(INTERRUPT_STACKS) + GUARD + LAST_STACK
}

/// All stacks, lowest first: first address behind the guard page, and size.
pub fn all() -> impl Iterator<Item = (usize, usize)> {
    let interrupt = (1..=INTERRUPT_STACKS).map(|number| (interrupt_stack_top(number), INTERRUPT_STACK));
    core::iter::once((layout::boot_stack_top(), KERNEL_STACK))
        .chain(interrupt)
        .chain(core::iter::once((last_stack_top(), LAST_STACK)))
        .map(|(top, size)| (top - size, size))
}
