//! Contract `heap`: see [`heap::Heap`]; and further heaps by name.

mod named;

pub use named::{Boxed, Buffer, Named};

slot!(heap_element::heap, provide_heap);

/// Rust's global allocator over this contract: `#[global_allocator] static GLOBAL: Global = Global;`.
#[derive(Debug)]
pub struct Global;

// SAFETY: the provider keeps `GlobalAlloc`'s rules: blocks are apart, of the size and alignment asked for, and live
// until freed.
unsafe impl ::core::alloc::GlobalAlloc for Global {
    unsafe fn alloc(&self, layout: ::core::alloc::Layout) -> *mut u8 {
        allocate(layout).map_or(::core::ptr::null_mut(), ::core::ptr::NonNull::as_ptr)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: ::core::alloc::Layout) {
        let Some(pointer) = ::core::ptr::NonNull::new(pointer) else { return };
        // SAFETY: our caller promises what `Block::new` asks for.
        free(unsafe { ::heap::Block::new(pointer, layout) });
    }
}
