//! The slot `kernel_memory`: pages and stacks of the host's allocator, counted.

use std::{
    alloc::{Layout, alloc, dealloc},
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

use machine::{MemoryRefused, PAGE_SIZE};

use crate::pager::PAGE;

/// Fills the slot.
#[derive(Debug)]
pub struct KernelMemory;

static PAGES: AtomicUsize = AtomicUsize::new(0);

/// Pages that the kernel has: files', and those of its own.
#[must_use]
pub fn pages_in_use() -> usize {
    PAGES.load(SeqCst)
}

/// Bytes of a stack: what a test prints when it fails takes more than the kernel's own calls.
const STACK: usize = 256 << 10;
/// What the lowest word of a stack keeps as long as nothing has overrun it.
const UNTOUCHED: u64 = 0x5afe_57ac_5afe_57ac;

fn pages(count: usize) -> Layout {
    Layout::from_size_align(count * PAGE_SIZE, PAGE_SIZE).expect("a length that memory can have")
}

fn stack() -> Layout {
    pages(STACK / PAGE_SIZE)
}

impl machine::KernelMemory for KernelMemory {
    fn allocate(&self, count: usize) -> Result<usize, MemoryRefused> {
        PAGES.fetch_add(count, SeqCst);
        // SAFETY: who asks wants at least a page.
        Ok(unsafe { alloc(pages(count)) } as usize)
    }

    fn free(&self, address: usize, count: usize) {
        PAGES.fetch_sub(count, SeqCst);
        // SAFETY: the caller's promise.
        unsafe { dealloc(address as *mut u8, pages(count)) };
    }

    fn allocate_page(&self) -> Result<usize, MemoryRefused> {
        PAGES.fetch_add(1, SeqCst);
        // SAFETY: the layout has a size.
        Ok(unsafe { alloc(PAGE) } as usize)
    }

    fn free_page(&self, address: usize) {
        PAGES.fetch_sub(1, SeqCst);
        // SAFETY: the caller's promise.
        unsafe { dealloc(address as *mut u8, PAGE) };
    }

    fn allocate_stack(&self) -> Result<usize, MemoryRefused> {
        // SAFETY: the layout has a size, and the lowest word lies in it.
        let lowest = unsafe {
            let lowest = alloc(stack());
            lowest.cast::<u64>().write(UNTOUCHED);
            lowest
        };
        Ok(lowest as usize + STACK)
    }

    fn free_stack(&self, top: usize) {
        let lowest = (top - STACK) as *mut u8;
        // SAFETY: it came from `allocate_stack`, and the caller promises that nobody runs on it.
        unsafe {
            assert_eq!(lowest.cast::<u64>().read(), UNTOUCHED, "a kernel stack was overrun");
            dealloc(lowest, stack());
        }
    }
}
