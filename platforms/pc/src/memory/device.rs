//! Device registers, and memory that firmware left tables in.

use core::ptr::NonNull;

use machine::{PAGE_SIZE, page_align_down, page_align_up};
use paging::{Entry, PageSize};

use crate::{
    layout::{DEVICE_BASE, DIRECT_BASE, DIRECT_SIZE},
    memory::{KERNEL, space::in_kernel_half},
};

const REGISTERS: u64 =
    Entry::PRESENT | Entry::WRITABLE | Entry::NO_EXECUTE | Entry::NO_CACHE | Entry::WRITE_THROUGH | Entry::GLOBAL;
const TABLES: u64 = Entry::PRESENT | Entry::NO_EXECUTE | Entry::GLOBAL;

/// Maps device registers for ever: uncached, writable, not executable. `None` without memory for page tables, or if
/// the address is beyond what any machine has. Mapping the same registers again gives the same address.
pub fn map_device(physical: u64, length: usize) -> Option<NonNull<u8>> {
    map(physical, length, REGISTERS)
}

fn map(physical: u64, length: usize, flags: u64) -> Option<NonNull<u8>> {
    let start = usize::try_from(physical).ok()?;
    let end = page_align_up(start.checked_add(length)?).filter(|&end| end <= DIRECT_SIZE)?;
    for page in (page_align_down(start)..end).step_by(PAGE_SIZE) {
        let address = DEVICE_BASE + page;
        in_kernel_half(address, |tables| match tables.find(address) {
            Some((entry, _)) => Ok(entry),
            None => tables.map(address, PageSize::Small, Entry::new(page, flags)),
        })
        .ok()?;
    }
    NonNull::new((DEVICE_BASE + start) as *mut u8)
}

/// RAM and firmware's tables as byte slices, for parsers. Not for memory that anything writes.
#[derive(Debug)]
pub struct Physical;

impl Physical {
    /// The same for ever.
    pub fn lasting(&self, address: u64, length: usize) -> Option<&'static [u8]> {
        let start = usize::try_from(address).ok()?;
        let end = start.checked_add(length).filter(|&end| end <= DIRECT_SIZE)?;
        let is_ram = |page| KERNEL.lock().tables().find(DIRECT_BASE + page).is_some();
        let pointer = if (page_align_down(start)..end).step_by(PAGE_SIZE).all(is_ram) {
            NonNull::new((DIRECT_BASE + start) as *mut u8)?
        } else {
            map(address, length, TABLES)?
        };
        // SAFETY: mapped for ever; tables of firmware do not change.
        Some(unsafe { core::slice::from_raw_parts(pointer.as_ptr(), length) })
    }
}

impl bootinfo::Memory for Physical {
    fn bytes(&self, address: u64, length: usize) -> Option<&[u8]> {
        self.lasting(address, length)
    }
}
