//! The contract `kernel_memory`: page frames where the direct map has them, and stacks.

use machine::{MemoryRefused, PAGE_SIZE};

use super::stacks;
use crate::layout::DIRECT_BASE;

/// Provider of the contract `kernel_memory`.
#[derive(Debug, Default)]
pub struct KernelMemory;

impl KernelMemory {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

impl machine::KernelMemory for KernelMemory {
    fn allocate(&self, count: usize) -> Result<usize, MemoryRefused> {
        let first = contracts::frames::allocate_run(count, 1).ok_or(MemoryRefused::OutOfMemory)?;
        Ok(DIRECT_BASE + first * PAGE_SIZE)
    }

    fn free(&self, address: usize, count: usize) {
        let first = address.checked_sub(DIRECT_BASE).expect("a kernel page is in the direct map") / PAGE_SIZE;
        contracts::frames::free_run(first, count).expect("these pages were allocated");
    }

    fn allocate_page(&self) -> Result<usize, MemoryRefused> {
        self.allocate(1)
    }

    fn free_page(&self, address: usize) {
        self.free(address, 1);
    }

    fn allocate_stack(&self) -> Result<usize, MemoryRefused> {
        stacks::allocate()
    }

    fn free_stack(&self, top: usize) {
        stacks::free(top);
    }
}
