//! Kernel stacks for threads. One that is given back waits in a chain for the next thread.

use alloc::vec::Vec;

use machine::{MemoryRefused, PAGE_SIZE};
use sync::Mutex;

use super::{arena::For, kernel_memory};
use crate::{
    host::{HostError, memory},
    per_cpu::{KERNEL_STACK, seat::several},
};

/// Top of the first stack that waits; 0 if none does. The word below its top says which is next.
static WAITING: Mutex<usize> = Mutex::new(0);

/// See [`machine::KernelMemory::allocate_stack`].
pub fn allocate() -> Result<usize, MemoryRefused> {
    let mut waiting = WAITING.lock();
    if *waiting != 0 {
        let top = *waiting;
        // SAFETY: a stack that waits is mapped and nobody's.
        *waiting = unsafe { link(top).read() };
        return Ok(top);
    }
    let pages = KERNEL_STACK / PAGE_SIZE + 1;
    let guard = room(pages)?;
    if self::guard(guard).is_err() {
        contracts::kernel_memory::free(guard, pages);
        return Err(MemoryRefused::OutOfMemory);
    }
    Ok(guard + pages * PAGE_SIZE)
}

/// So many pages, of which the first one is to be guarded.
pub fn room(pages: usize) -> Result<usize, MemoryRefused> {
    kernel_memory::allocate(pages, For::Guarded)
}

/// Pages below stacks, of which nobody may touch a byte; kept where they may have to be put there again.
static GUARDS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Has a page below a stack fault.
pub fn guard(page: usize) -> Result<(), HostError> {
    // SAFETY: the pages of a new stack are its maker's.
    unsafe { memory::guard(&(page..page + PAGE_SIZE)) }?;
    if several() {
        GUARDS.lock().push(page);
    }
    Ok(())
}

/// Something else has taken the place of all that the kernel has.
pub fn guard_again() {
    for &page in GUARDS.lock().iter() {
        // A stack that nothing guards is better than none. SAFETY: nobody uses the page.
        let _ = unsafe { memory::guard(&(page..page + PAGE_SIZE)) };
    }
}

/// See [`machine::KernelMemory::free_stack`].
pub fn free(top: usize) {
    let mut waiting = WAITING.lock();
    // SAFETY: the stack is mapped, and the caller gives it up.
    unsafe { link(top).write(*waiting) };
    *waiting = top;
}

const fn link(top: usize) -> *mut usize {
    (top - size_of::<usize>()) as *mut usize
}
