//! Physical memory: who has which frame, and how the kernel reaches it.

mod audit;
mod boot_map;
mod device;
mod flush;
mod large;
mod leaf;
mod machine_memory;
mod pager;
mod stacks;

use core::ptr::NonNull;

use ::machine::PAGE_SIZE;
pub use boot_map::BootMap;
pub use device::{Physical, map_device};
pub use flush::forget;
pub use machine_memory::{MEMORY, Memory, boot_large_pages};
pub use pager::Pager;
pub use stacks::{allocate as allocate_stack, kernel_stack, map as map_kernel};

use crate::layout::DIRECT_BASE;

/// `count` frames in a row, contents unspecified, for ever: their address in the direct map and their physical one.
pub fn allocate_frames(count: usize) -> Option<(NonNull<u8>, u64)> {
    let physical = contracts::frames::allocate_run(count, 1)? * PAGE_SIZE;
    Some((NonNull::new(direct(physical))?, physical as u64))
}

/// Where the direct map has RAM at `physical`.
pub fn direct(physical: usize) -> *mut u8 {
    (DIRECT_BASE + physical) as *mut u8
}
