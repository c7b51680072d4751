//! Physical memory: who has which frame, and how the kernel reaches it.

mod audit;
mod boot_map;
mod code;
mod device;
mod flush;
mod kernel_memory;
mod large;
mod leaf;
mod lend;
mod report;
mod shared;
mod shootdown;
mod space;
mod stacks;
mod tables;
mod translations;

use core::ptr::NonNull;

use ::machine::PAGE_SIZE;
pub use boot_map::BootMap;
pub use device::{Physical, map_device};
pub use kernel_memory::KernelMemory;
pub use leaf::{set_archive, set_user};
pub use lend::lend;
pub use report::MemoryReport;
pub use shootdown::{serve, synchronize};
pub use space::{Space, permits};
pub use stacks::{allocate as allocate_stack, kernel_stack, map as map_kernel};
pub use tables::{KERNEL, boot_large_pages, kernel_root, set_kernel_root};
pub use translations::Translations;

use crate::layout::{DIRECT_BASE, DIRECT_SIZE, KERNEL_BASE, image_end};

/// `count` frames in a row, contents unspecified, for ever: their address in the direct map and their physical one.
pub fn allocate_frames(count: usize) -> Option<(NonNull<u8>, u64)> {
    let physical = contracts::frames::allocate_run(count, 1)? * PAGE_SIZE;
    Some((NonNull::new(direct(physical))?, physical as u64))
}

/// Where the direct map has RAM at `physical`.
pub fn direct(physical: usize) -> *mut u8 {
    (DIRECT_BASE + physical) as *mut u8
}

/// The physical address of bytes in the direct map, where the kernel's heap and files' pages are; `None` for others,
/// which may not be in one piece.
pub fn physical(bytes: NonNull<u8>, length: usize) -> Option<u64> {
    let offset = bytes.addr().get().checked_sub(DIRECT_BASE)?;
    (offset.checked_add(length)? <= DIRECT_SIZE).then_some(offset as u64)
}

/// As [`physical`], also for bytes of the image, where a heap has its first blocks.
pub fn physical_of_any(bytes: NonNull<u8>, length: usize) -> Option<u64> {
    let address = bytes.addr().get();
    let in_image = address >= KERNEL_BASE && address.checked_add(length)? <= image_end();
    if in_image { Some((address - KERNEL_BASE) as u64) } else { physical(bytes, length) }
}
