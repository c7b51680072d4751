//! Pages for the contents of files, from the slot `kernel_memory`.
//!
//! Unsafe: `pages::Memory` is a contract about raw memory.
#![allow(unsafe_code)]

use core::ptr::NonNull;

use pages::{Bytes, Memory};

/// Files' pages come from the platform, which can show them to programs.
#[derive(Debug)]
pub struct FilePages;

// SAFETY: the platform gives each such page to one asker only, until that gives it back, and it lies in memory that is
// always mapped for the kernel.
unsafe impl Memory for FilePages {
    fn allocate(&self) -> Option<NonNull<Bytes>> {
        NonNull::new(contracts::kernel_memory::allocate_page().ok()? as *mut Bytes)
    }

    unsafe fn free(&self, page: NonNull<Bytes>) {
        contracts::kernel_memory::free_page(page.addr().get());
    }
}
