//! Slots of which the kernel needs little: entropy, a heap, and what is said about memory.

use std::{
    alloc::{Layout, alloc, dealloc},
    ptr::NonNull,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
};

use contracts::heap_element::{Block, Statistics};
use machine::{Access, Audit, AuditError, BootInfo, Context, MemoryUse, PAGE_SIZE, Trap};

use crate::{kernel_memory::pages_in_use, pager::frames_in_use};

/// The same numbers in each run (SplitMix64).
#[derive(Debug)]
pub struct Entropy;

static SEED: AtomicU64 = AtomicU64::new(0);

impl machine::Entropy for Entropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(8) {
            let seed = SEED.fetch_add(0x9e37_79b9_7f4a_7c15, SeqCst);
            let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            chunk.copy_from_slice(&(mixed ^ mixed >> 27).to_le_bytes()[..chunk.len()]);
        }
    }
}

/// What is in use, of a machine of 1 GB.
#[derive(Debug)]
pub struct Report;

const TOTAL: usize = 1 << 30;

impl machine::MemoryReport for Report {
    fn memory_use(&self) -> MemoryUse {
        MemoryUse { total: TOTAL, free: TOTAL - (frames_in_use() + pages_in_use()) * PAGE_SIZE }
    }

    /// The pager looks at each page when its protection changes.
    fn audit(&self) -> Result<Audit, AuditError> {
        Ok(Audit::default())
    }
}

/// The host's. Rust's own allocator goes to it without this slot.
#[derive(Debug)]
pub struct Heap;

impl contracts::heap_element::Heap for Heap {
    fn allocate(&self, layout: Layout) -> Option<NonNull<u8>> {
        // SAFETY: who asks for a block asks for bytes.
        NonNull::new(unsafe { alloc(layout) })
    }

    fn free(&self, block: Block) {
        // SAFETY: a block is what `allocate` gave.
        unsafe { dealloc(block.pointer().as_ptr(), block.layout()) }
    }

    fn statistics(&self) -> Statistics {
        Statistics::NONE
    }
}

/// Fills the slot `application` where a crate's tests start none.
#[derive(Debug)]
pub struct NoApplication;

const NONE: &str = "no application is started here";

impl contracts::application::Application for NoApplication {
    fn start(&self, _: BootInfo) -> ! {
        unreachable!("{NONE}")
    }

    fn system_call(&self, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize) -> isize {
        unreachable!("{NONE}")
    }

    fn trap(&self, _: &mut Context, _: Trap) {
        unreachable!("{NONE}")
    }

    fn page_resolved(&self, _: usize, _: Access) {}

    fn resuming(&self, _: &mut Context) {}

    fn work(&self) {}

    fn out_of_memory(&self) -> bool {
        panic!("the machine is out of memory")
    }
}
