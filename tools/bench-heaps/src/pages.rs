//! What a heap's surroundings are on this host: pages, and a number for each thread.

use std::cell::Cell;
use std::ptr::NonNull;

use heap::{PageSource, Processors};

const PAGE: usize = 4096;

/// Pages of the host's kernel.
pub struct HostPages;

// SAFETY: a fresh anonymous mapping is zeroed memory of our own.
unsafe impl PageSource for HostPages {
    const NEW: Self = Self;

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping touches nothing that is there.
        let start = unsafe { libc::mmap(std::ptr::null_mut(), count * PAGE, protection, flags, -1, 0) };
        let start = NonNull::new(start.cast()).filter(|_| start != libc::MAP_FAILED)?;
        Some(NonNull::slice_from_raw_parts(start, count * PAGE))
    }

    unsafe fn give_back(&self, memory: NonNull<[u8]>) -> bool {
        // SAFETY: the caller promises that it is a mapping of ours that nobody uses.
        unsafe { libc::munmap(memory.as_ptr().cast(), memory.len()) == 0 }
    }
}

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(0) };
}

/// Each measuring thread is a processor.
pub struct ThreadNumber;

impl ThreadNumber {
    /// This thread's number, which no other running thread has.
    pub fn set(number: usize) {
        NUMBER.set(number);
    }
}

// SAFETY: threads that measure at the same time have different numbers, and no signal handler allocates.
unsafe impl Processors for ThreadNumber {
    const COUNT: usize = 2;
    const NEW: Self = Self;

    #[inline]
    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R {
        // The mask spares the check that the number is in bounds.
        work(NUMBER.get() & 1)
    }
}
