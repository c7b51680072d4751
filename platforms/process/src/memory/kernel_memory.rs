//! Memory for the kernel: pages from the arena, stacks, and pages of files.

use machine::{MemoryRefused, PAGE_SIZE, PageRange};

use super::{
    arena::{ARENA, For, LARGE},
    file_pages, mappings, report, spaces, stacks,
    translations::{DATA, refused},
};
use crate::{
    host::memory::{self, Contents},
    per_cpu::seat,
};

/// The machine's [`machine::KernelMemory`].
#[derive(Debug, Default)]
pub struct KernelMemory;

impl KernelMemory {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// So many pages.
pub fn allocate(count: usize, wanted: For) -> Result<usize, MemoryRefused> {
    let length = count.checked_mul(PAGE_SIZE).ok_or(MemoryRefused::OutOfMemory)?;
    let address = ARENA.lock().take(length, wanted).ok_or(MemoryRefused::OutOfMemory)?;
    if seat::moves() {
        // All of the arena is mapped, and pages come to be when they are touched.
        if report::has_room(length) {
            return Ok(address);
        }
        ARENA.lock().give_back(address..address + length);
        return Err(MemoryRefused::OutOfMemory);
    }
    mappings::insist(|| memory::map_at(&(address..address + length), DATA, Contents::Zero)).map_err(|error| {
        ARENA.lock().give_back(address..address + length);
        refused(error)
    })?;
    Ok(address)
}

/// Makes zeros of what the kernel gives back in memory that processes share, and gives the host the memory; `false`: the
/// addresses are lost. A part of a large page stays the kernel's, since the host would have to make small ones of it.
fn give_back(range: &PageRange) -> bool {
    if range.len() < LARGE && spaces::are_large(range) {
        // SAFETY: the caller of `free` promises that nothing refers to them.
        unsafe { core::ptr::write_bytes(range.start as *mut u8, 0, range.len()) };
        return true;
    }
    // SAFETY: as above.
    unsafe { memory::give_back(range) }.is_ok()
}

impl machine::KernelMemory for KernelMemory {
    fn allocate(&self, count: usize) -> Result<usize, MemoryRefused> {
        allocate(count, For::Often)
    }

    fn free(&self, address: usize, count: usize) {
        let range = address..address + count * PAGE_SIZE;
        assert!(ARENA.lock().holds(&range), "not a kernel page");
        if seat::moves() {
            // Whoever gets the addresses next expects zeros.
            if give_back(&range) {
                ARENA.lock().give_back(range);
            }
            return;
        }
        // SAFETY: the caller promises that nothing refers to them, and the arena has found them to be the kernel's.
        match unsafe { memory::unmap(&range) } {
            Ok(()) => ARENA.lock().give_back(range),
            // Too many mappings: the addresses are lost, but not the memory.
            // SAFETY: as above.
            Err(_) => _ = unsafe { memory::discard(&range) },
        }
    }

    fn allocate_page(&self) -> Result<usize, MemoryRefused> {
        file_pages::allocate()
    }

    fn free_page(&self, address: usize) {
        file_pages::free(address);
    }

    fn allocate_stack(&self) -> Result<usize, MemoryRefused> {
        stacks::allocate()
    }

    fn free_stack(&self, top: usize) {
        stacks::free(top);
    }
}
