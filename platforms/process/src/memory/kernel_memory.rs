//! Memory for the kernel: pages from the arena, stacks, and pages of files.

use machine::{MemoryRefused, PAGE_SIZE, PageRange};
use sync::Mutex;

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

/// Held by whoever maps parts of the arena or takes mappings away, which ends when all of it is mapped.
static CHANGING: Mutex<()> = Mutex::new(());

/// Does that, unless all of the arena is mapped.
fn unless_shared<R>(change: impl FnOnce() -> R) -> Option<R> {
    if seat::moves() {
        return None;
    }
    let _changing = CHANGING.lock();
    if seat::moves() { None } else { Some(change()) }
}

/// What is in use of each part of the arena, for who holds the other processors; `None` while one of them is held amid
/// a change.
pub fn at_rest() -> Option<[PageRange; 3]> {
    let _changing = CHANGING.try_lock()?;
    Some(ARENA.try_lock()?.used())
}

/// So many pages.
pub fn allocate(count: usize, wanted: For) -> Result<usize, MemoryRefused> {
    let length = count.checked_mul(PAGE_SIZE).ok_or(MemoryRefused::OutOfMemory)?;
    let address = ARENA.lock().take(length, wanted).ok_or(MemoryRefused::OutOfMemory)?;
    let range = address..address + length;
    let result = match unless_shared(|| mappings::insist(|| memory::map_at(&range, DATA, Contents::Zero))) {
        Some(result) => result.map_err(refused),
        // Pages come to be when they are touched.
        None => report::has_room(length).then_some(()).ok_or(MemoryRefused::OutOfMemory),
    };
    if result.is_err() {
        ARENA.lock().give_back(range);
    }
    result.map(|()| address)
}

/// Makes zeros of what the kernel gives back in memory that processes share, and gives the host the memory; `false`:
/// the addresses are lost. A part of a large page stays the kernel's, since the host would have to make small ones of
/// it.
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
        // SAFETY: the caller promises that nothing refers to them, and the arena has found them to be the kernel's.
        let is_free = match unless_shared(|| unsafe { memory::unmap(&range) }.is_ok()) {
            Some(true) => true,
            // Too many mappings: the addresses are lost, but not the memory.
            Some(false) => {
                // SAFETY: as above.
                let _ = unsafe { memory::discard(&range) };
                false
            }
            // Whoever gets the addresses next expects zeros.
            None => give_back(&range),
        };
        if is_free {
            ARENA.lock().give_back(range);
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
