//! Physical memory while the boot tables are in force.

use core::ptr::with_exposed_provenance_mut;

use bootinfo::Memory;

use crate::{
    layout::{BOOT_MAP_SIZE, KERNEL_BASE},
    memory::boot_large_pages,
};

const LARGE_PAGE: usize = 2 << 20;
/// Present, writable, large.
const LEAF: u64 = 0x83;

/// The first gigabyte, mapped at [`KERNEL_BASE`] by 2 MB pages as somebody looks at them. Loaders put their
/// structures low; one that does not is told so.
#[derive(Debug)]
pub struct BootMap;

impl Memory for BootMap {
    fn bytes(&self, address: u64, length: usize) -> Option<&[u8]> {
        let start = usize::try_from(address).ok()?;
        let end = start.checked_add(length).filter(|&end| end <= BOOT_MAP_SIZE)?;
        (start / LARGE_PAGE..end.div_ceil(LARGE_PAGE)).for_each(map);
        // SAFETY: just mapped. Memory that holds the loader's structures does not change while we read them.
        Some(unsafe { core::slice::from_raw_parts((KERNEL_BASE + start) as *const u8, length) })
    }
}

/// Maps large page `index` if the boot tables have no entry for it.
fn map(index: usize) {
    let entry = with_exposed_provenance_mut::<u64>(KERNEL_BASE + boot_large_pages()).wrapping_add(index & 511);
    // SAFETY: the third boot table, which only the boot code changes; adding a translation changes no other.
    unsafe {
        if entry.read_volatile() == 0 {
            entry.write_volatile((index * LARGE_PAGE) as u64 | LEAF);
        }
    }
}
