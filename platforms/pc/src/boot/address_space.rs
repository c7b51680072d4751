//! The final page tables: the image in 4 KB pages with the rights its parts need, and all RAM.

use core::ops::Range;

use machine::PAGE_SIZE;
use paging::{Entry, MapError, PageSize, TableMemory, Tables};

use super::found::Ranges;
use crate::{
    layout::{self, DIRECT_BASE, KERNEL_BASE, image_physical},
    memory::{KERNEL, set_kernel_root},
    per_cpu::stacks,
};

const READ: u64 = Entry::PRESENT | Entry::GLOBAL | Entry::NO_EXECUTE;
const WRITE: u64 = READ | Entry::WRITABLE;
const EXECUTE: u64 = Entry::PRESENT | Entry::GLOBAL;

/// Builds the tables; returns the root's physical address. They need few frames, but a machine of many gigabytes
/// without 1 GB pages needs more than are spare: so the first zone must be reachable.
pub fn build(ram: &Ranges) -> usize {
    let root = KERNEL.lock().allocate().expect("spare tables are left at boot");
    set_kernel_root(root);
    let mut memory = KERNEL.lock();
    let mut tables = memory.tables();
    map_image(&mut tables)
        .and_then(|()| ram.iter().try_for_each(|range| map_ram(&mut tables, range)))
        .unwrap_or_else(|_| panic!("cannot start: too little memory for the page tables"));
    root
}

/// The image at [`KERNEL_BASE`]. Guard pages stay unmapped.
fn map_image(tables: &mut Tables<'_, impl TableMemory>) -> Result<(), MapError> {
    let (text, constants, data) = (layout::text_start(), layout::constants_start(), layout::data_start());
    let parts = [
        (text, constants - text, EXECUTE),
        (constants, data - constants, READ),
        (data, layout::stacks_start() - data, WRITE),
    ];
    let stacks = stacks::all().map(|(start, size)| (start, size, WRITE));
    parts.into_iter().chain(stacks).try_for_each(|(start, size, flags)| {
        let entry = Entry::new(start - KERNEL_BASE, flags);
        tables.map_run(start, PageSize::Small, entry, size.div_ceil(PAGE_SIZE))
    })
}

/// One stretch of RAM in the direct map. Kernel text and constants are not there: nobody needs them twice.
fn map_ram(tables: &mut Tables<'_, impl TableMemory>, range: Range<usize>) -> Result<(), MapError> {
    let kept = image_physical(layout::text_start())..image_physical(layout::data_start());
    let cut = |address: usize| address.clamp(range.start, range.end);
    map_direct(tables, range.start..cut(kept.start))?;
    map_direct(tables, cut(kept.end)..range.end)
}

/// Maps by the largest pages that fit.
fn map_direct(tables: &mut Tables<'_, impl TableMemory>, range: Range<usize>) -> Result<(), MapError> {
    let largest = if x86_64::features::huge_pages() { PageSize::Huge } else { PageSize::Large };
    let mut start = range.start;
    while start < range.end {
        let size = fitting(start..range.end, largest);
        // Up to where a larger size fits.
        let end = match size {
            _ if size == largest => range.end & !(size.bytes() - 1),
            PageSize::Small => (start + 1).next_multiple_of(PageSize::Large.bytes()).min(range.end),
            _ => (start + 1).next_multiple_of(PageSize::Huge.bytes()).min(range.end & !(size.bytes() - 1)),
        };
        let large = if size == PageSize::Small { 0 } else { Entry::LARGE };
        let count = (end - start) / size.bytes();
        tables.map_run(DIRECT_BASE + start, size, Entry::new(start, WRITE | large), count)?;
        start = end;
    }
    Ok(())
}

fn fitting(range: Range<usize>, largest: PageSize) -> PageSize {
    let fits = |size: PageSize| range.start.is_multiple_of(size.bytes()) && range.len() >= size.bytes();
    match largest {
        PageSize::Huge if fits(PageSize::Huge) => PageSize::Huge,
        _ if fits(PageSize::Large) => PageSize::Large,
        _ => PageSize::Small,
    }
}
