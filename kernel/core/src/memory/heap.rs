//! What the kernel's heap is made with: pages from the slot `kernel_memory`, and a promise about processors.
//!
//! Unsafe: `PageSource` is a contract about raw memory, `Processors` one about who is where.
#![allow(unsafe_code)]

use core::ptr::NonNull;

use ::heap::{PageSource, Processors};
use machine::PAGE_SIZE;
use sync::Mutex;

use super::reserve;
use crate::processor::here;

/// The heap's pages come from the platform.
#[derive(Debug)]
pub struct KernelPages;

// SAFETY: the platform gives each kernel page to one asker only, until that gives it back.
unsafe impl PageSource for KernelPages {
    const NEW: Self = Self;

    fn pages(&self, count: usize) -> Option<NonNull<[u8]>> {
        let address = contracts::kernel_memory::allocate(count).ok().or_else(|| {
            // Who made it last gave it for this.
            if reserve::spend() { contracts::kernel_memory::allocate(count).ok() } else { None }
        })?;
        let pointer = NonNull::new(address as *mut u8)?;
        Some(NonNull::slice_from_raw_parts(pointer, count * PAGE_SIZE))
    }

    unsafe fn give_back(&self, memory: NonNull<[u8]>) -> bool {
        contracts::kernel_memory::free(memory.addr().get(), memory.len() / PAGE_SIZE);
        true
    }
}

/// Each processor of a kernel has a heap's cache to itself; those beyond the seventh share one, in turns.
#[derive(Debug)]
pub struct EachProcessor {
    last: Mutex<()>,
}

// SAFETY: the kernel runs with interrupts off and is not pre-empted, and nothing in a heap parks, so its thread stays
// on this processor. What may come in between does not allocate: an interrupt or a host's signal only marks work as
// pending, and who spins only forgets translations. The last cache is behind a lock.
unsafe impl Processors for EachProcessor {
    const COUNT: usize = 8;
    const NEW: Self = Self { last: Mutex::new(()) };

    #[inline]
    fn alone(&self) -> Option<usize> {
        Some(here()).filter(|&number| number < Self::COUNT - 1)
    }

    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R {
        if let Some(number) = self.alone() {
            return work(number);
        }
        let _turn = self.last.lock();
        work(Self::COUNT - 1)
    }
}

/// The one processor of a native image, whose threads take turns where they wait or yield.
#[derive(Debug)]
pub struct OneProcessor;

// SAFETY: no native image starts a second processor, and threads ([`task::function`]) are not interrupted: nothing runs
// between two instructions of a heap.
unsafe impl Processors for OneProcessor {
    const COUNT: usize = 1;
    const NEW: Self = Self;

    #[inline]
    fn alone(&self) -> Option<usize> {
        Some(0)
    }

    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R {
        work(0)
    }
}
