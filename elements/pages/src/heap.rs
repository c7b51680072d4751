//! Pages out of Rust's own heap.

use alloc::alloc::{Layout, alloc_zeroed, dealloc};
use core::ptr::NonNull;

use crate::{Bytes, Memory, SIZE};

/// Pages out of Rust's own heap: what tests and fuzz targets on the host use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

const LAYOUT: Layout = match Layout::from_size_align(SIZE, SIZE) {
    Ok(layout) => layout,
    Err(_) => panic!("a page is a layout"),
};

// SAFETY: the allocator gives aligned, zeroed memory to one asker only.
unsafe impl Memory for Heap {
    fn allocate(&self) -> Option<NonNull<Bytes>> {
        // SAFETY: the layout has a size.
        NonNull::new(unsafe { alloc_zeroed(LAYOUT) }.cast())
    }

    unsafe fn free(&self, page: NonNull<Bytes>) {
        // SAFETY: it came from `allocate`.
        unsafe { dealloc(page.as_ptr().cast(), LAYOUT) }
    }
}
