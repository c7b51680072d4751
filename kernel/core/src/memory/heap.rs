//! The kernel's heap: Rust's global allocator over the slot `heap`, and that heap's pages from the slot `pager`.
//!
//! Unsafe: `GlobalAlloc` and `PageSource` are contracts about raw memory.
#![allow(unsafe_code)]

use core::{
    alloc::{GlobalAlloc, Layout},
    ptr::NonNull,
};

use ::heap::{Block, PageSource};
use machine::PAGE_SIZE;

/// Rust's global allocator: `#[global_allocator] static GLOBAL: kernel::Global = kernel::Global;` in an image that
/// has a heap.
#[derive(Debug)]
pub struct Global;

// SAFETY: the slot `heap` keeps `GlobalAlloc`'s rules: blocks are apart, of the size and alignment asked for, and live
// until freed.
unsafe impl GlobalAlloc for Global {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        contracts::heap::allocate(layout).map_or(core::ptr::null_mut(), NonNull::as_ptr)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let Some(pointer) = NonNull::new(pointer) else { return };
        // SAFETY: our caller promises what `Block::new` asks for.
        contracts::heap::free(unsafe { Block::new(pointer, layout) });
    }
}

/// The heap's pages come from the pager.
#[derive(Debug)]
pub struct KernelPages;

// SAFETY: the pager gives each kernel page to one asker only, and the heap never gives pages back.
unsafe impl PageSource for KernelPages {
    const NEW: Self = Self;

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let address = contracts::pager::allocate_kernel(count).ok()?;
        let pointer = NonNull::new(address as *mut u8)?;
        Some(NonNull::slice_from_raw_parts(pointer, count * PAGE_SIZE))
    }
}
