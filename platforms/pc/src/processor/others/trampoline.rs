//! The page in low memory at which processors start, in real mode.
//!
//! It is page zero: memory on every PC, which the frame allocator never gives out and no table maps for good reason.
//! What is there comes back afterwards. Processors leave it at once for the image, by the tables that boot used.

use core::{arch::global_asm, ptr};

use machine::{KernelMemory as _, PAGE_SIZE};

use crate::memory::{KernelMemory, map_device};

/// Number of the page.
const PAGE: usize = 0;

global_asm!(include_str!("trampoline.s"), options(att_syntax));

unsafe extern "C" {
    safe static whittle_trampoline: u8;
    safe static whittle_trampoline_end: u8;
}

/// Runs `start`, which is given the page's number, while the code is there.
pub fn with(start: impl FnOnce(usize)) {
    let code = &raw const whittle_trampoline;
    let length = &raw const whittle_trampoline_end as usize - code as usize;
    let page = map_device((PAGE * PAGE_SIZE) as u64, PAGE_SIZE).expect("memory for one page table").as_ptr();
    let kept = KernelMemory.allocate(1).expect("memory for one page") as *mut u8;
    // SAFETY: the page is mapped, and nobody else's as long as one processor works; the code is shorter than a page;
    // the other page was just given to us.
    unsafe {
        ptr::copy_nonoverlapping(page, kept, length);
        ptr::copy_nonoverlapping(code, page, length);
        start(PAGE);
        ptr::copy_nonoverlapping(kept, page, length);
    }
    KernelMemory.free(kept as usize, 1);
}
