//! Loading segments, the task state and the vectors (Intel SDM volume 3, 3.4, 6.10, 7.7).

use core::{arch::asm, cell::UnsafeCell};

use x86_64::registers::{msr, write_msr};

use crate::{
    entry::{STUB, VECTORS, vector_address},
    per_cpu::{
        KERNEL_SEGMENTS, PerProcessor,
        block::boot_block,
        segments::{PROCESSOR_DESCRIPTOR, TASK, Task},
        stacks::{INTERRUPT_STACKS, interrupt_stack_top},
    },
};

/// One vector's gate.
#[repr(C)]
#[derive(Clone, Copy)]
struct Gate([u64; 2]);

#[repr(C, align(16))]
struct Gates(UnsafeCell<[Gate; VECTORS]>);

// SAFETY: written once at boot; then only the processor reads it.
unsafe impl Sync for Gates {}

static GATES: Gates = Gates(UnsafeCell::new([Gate([0; 2]); VECTORS]));

impl Gate {
    /// An interrupt gate: interrupts are off in the handler.
    const fn new(address: u64, stack: usize) -> Self {
        let low = address & 0xffff | (address >> 16) << 48;
        Self([low | KERNEL_SEGMENTS.0 << 16 | (0x8e00 | stack as u64) << 32, address >> 32])
    }

    /// The same, which ring 3 may ask for by an instruction.
    const fn for_ring_3(self) -> Self {
        Self([self.0[0] | 3 << (32 + 13), self.0[1]])
    }
}

/// Vectors that may interrupt another handler before it has left its stack: each has a stack of its own.
const OWN_STACKS: [(usize, usize); 5] = [
    (14, 1), // page fault
    (2, 2),  // not maskable
    (8, 3),  // double fault
    (18, 4), // machine check
    (1, 5),  // debug
];
/// The stack of all others.
const COMMON_STACK: usize = 6;
/// Breakpoint and overflow.
const FOR_RING_3: [usize; 2] = [3, 4];

fn fill_gates(gates: &mut [Gate; VECTORS]) {
    // The stubs lie within 64 KB (`link.ld` sees to it), so that the next one's gate differs in its low bits only.
    let mut next = Gate::new(vector_address(0) as u64, COMMON_STACK);
    const { assert!(VECTORS.is_multiple_of(8)) };
    // By eights: the loop would cost more than the gates.
    for eight in gates.as_chunks_mut::<8>().0 {
        for gate in eight {
            *gate = next;
            next.0[0] += STUB as u64;
        }
    }
    for (vector, stack) in OWN_STACKS {
        if let Some(gate) = gates.get_mut(vector) {
            *gate = Gate::new(vector_address(vector) as u64, stack);
        }
    }
    for vector in FOR_RING_3 {
        if let Some(gate) = gates.get_mut(vector) {
            *gate = gate.for_ring_3();
        }
    }
}

/// What LGDT and LIDT read.
#[repr(C, packed)]
struct Pointer {
    limit: u16,
    address: u64,
}

impl Pointer {
    fn new<T>(table: *const T, bytes: usize) -> Self {
        Self { limit: (bytes - 1) as u16, address: table as u64 }
    }
}

/// Fills the vectors' gates and loads all of it for the processor that boots.
pub(super) fn load() {
    // SAFETY: boot: nobody else uses block and gates yet.
    unsafe {
        fill_gates(&mut *GATES.0.get());
        load_for(0, boot_block());
    }
}

/// Loads segments, task state and gates for processor `number`, which is this one, and points GS to its block.
///
/// # Safety
/// Nobody else uses the block, and it stays where it is.
pub(super) unsafe fn load_for(number: usize, block: *mut PerProcessor) {
    // SAFETY: the caller's promise. Code and stack segments are the same as the boot code's, so they need no reload.
    unsafe {
        let segments = &mut (*block).segments;
        let task = &raw const segments.task;
        for stack in 1..=INTERRUPT_STACKS {
            segments.task.interrupt_stacks[stack - 1] = interrupt_stack_top(number, stack) as u64;
        }
        segments.descriptors[1] = PROCESSOR_DESCRIPTOR | number as u64;
        let address = task as u64;
        let limit = size_of::<Task>() as u64 - 1;
        segments.descriptors[7] = limit | (address & 0xff_ffff) << 16 | 0x89 << 40 | (address >> 24 & 0xff) << 56;
        segments.descriptors[8] = address >> 32;
        let descriptors = Pointer::new(&raw const segments.descriptors, size_of_val(&segments.descriptors));
        let gates = Pointer::new(GATES.0.get(), size_of::<Gates>());
        asm!("lgdt [{}]", "lidt [{}]", "ltr {:x}", "lldt {:x}", in(reg) &raw const descriptors, in(reg) &raw const gates,
             in(reg) TASK, in(reg) 0, options(nostack, preserves_flags));
        write_msr(msr::GS_BASE, block as u64);
    }
}
