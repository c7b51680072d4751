//! The kernel heap's pages, from the slot `pager`.
//!
//! Unsafe: `PageSource` is a contract about raw memory.
#![allow(unsafe_code)]

use core::ptr::NonNull;

use ::heap::PageSource;
use machine::PAGE_SIZE;

/// The heap's pages come from the pager.
#[derive(Debug)]
pub struct KernelPages;

// SAFETY: the pager gives each kernel page to one asker only, until that gives it back.
unsafe impl PageSource for KernelPages {
    const NEW: Self = Self;

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let address = contracts::pager::allocate_kernel(count).ok()?;
        let pointer = NonNull::new(address as *mut u8)?;
        Some(NonNull::slice_from_raw_parts(pointer, count * PAGE_SIZE))
    }

    unsafe fn give_back(&self, memory: NonNull<[u8]>) -> bool {
        contracts::pager::free_kernel(memory.addr().get(), memory.len() / PAGE_SIZE);
        true
    }
}
