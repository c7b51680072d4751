//! The machine's memory: its frames, and its page tables.

use core::cell::UnsafeCell;

use frames::{Frames, FreeError, Zones};
use machine::PAGE_SIZE;
use paging::{Entry, TableMemory, Tables};
use sync::Mutex;

use super::direct;
use crate::layout::image_physical;

/// Stretches of RAM between what must not be given out.
pub const ZONES: usize = 12;

/// Tables that the loader has zeroed along with the rest of .bss: zeroing a frame costs 512 stores, and a boot up to
/// the program's first instruction needs about twenty tables.
const SPARE_TABLES: usize = 24;

#[repr(C, align(4096))]
struct Pool<const TABLES: usize>(UnsafeCell<[[u64; 512]; TABLES]>);

// SAFETY: tables are only reached through `Memory`, which is behind a lock, and before that by the boot code.
unsafe impl<const TABLES: usize> Sync for Pool<TABLES> {}

static SPARE: Pool<SPARE_TABLES> = Pool(UnsafeCell::new([[0; 512]; SPARE_TABLES]));

/// The three tables that `boot/entry.s` uses.
#[unsafe(export_name = "whittle_boot_tables")]
static BOOT: Pool<3> = Pool(UnsafeCell::new([[0; 512]; 3]));

/// Physical address of spare table `index`.
fn spare_table(index: usize) -> usize {
    image_physical(SPARE.0.get() as usize) + index * PAGE_SIZE
}

/// Physical address of the boot code's third table, which maps large pages.
pub fn boot_large_pages() -> usize {
    image_physical(BOOT.0.get() as usize) + 2 * PAGE_SIZE
}

/// Frames and tables of the machine, behind one lock.
pub struct Memory {
    /// Frames that may be given out.
    pub zones: Zones<'static, ZONES>,
    /// A bit for each spare table that is in use (and for those that do not exist none, so that all of it is zero at
    /// first and takes no room in the image).
    used_spares: u32,
    /// The root table.
    pub root: usize,
    /// Physical address and bytes of the boot archive.
    pub archive: (usize, usize),
    /// What every leaf of the application has: [`Entry::USER`] when it runs at ring 3.
    pub user_flag: u64,
}

/// The machine's memory. Empty until `boot` fills it.
pub static MEMORY: Mutex<Memory> =
    Mutex::new(Memory { zones: Zones::new(), used_spares: 0, root: 0, archive: (0, 0), user_flag: 0 });

impl Memory {
    /// The tables in force.
    pub fn tables(&mut self) -> Tables<'_, Self> {
        let root = self.root;
        Tables::new(self, root)
    }

    /// A frame full of zeros; its physical address.
    pub fn zeroed_frame(&mut self) -> Option<usize> {
        let physical = self.zones.allocate()? * PAGE_SIZE;
        // SAFETY: the frame was just given to us, so nothing refers to it.
        unsafe { zero_page(direct(physical)) };
        Some(physical)
    }

    /// A frame with any contents; its physical address.
    pub fn frame(&mut self) -> Option<usize> {
        Some(self.zones.allocate()? * PAGE_SIZE)
    }

    /// Takes a frame back.
    pub fn free_frame(&mut self, physical: usize) {
        if let Err(error @ (FreeError::Foreign(_) | FreeError::NotInUse(_))) = self.zones.free(physical / PAGE_SIZE) {
            panic!("a frame was given back wrongly: {error:?}");
        }
    }

    fn spare_index(table: usize) -> Option<usize> {
        let index = table.checked_sub(spare_table(0))? / PAGE_SIZE;
        (index < SPARE_TABLES).then_some(index)
    }

    fn entry(table: usize, index: usize) -> *mut u64 {
        // The index has nine bits, so the pointer stays in the table.
        direct(table + (index & 511) * size_of::<u64>()).cast()
    }
}

impl TableMemory for Memory {
    fn allocate(&mut self) -> Option<usize> {
        let index = self.used_spares.trailing_ones() as usize;
        if index < SPARE_TABLES {
            self.used_spares |= 1 << index;
            return Some(spare_table(index));
        }
        self.zeroed_frame()
    }

    fn free(&mut self, table: usize) {
        match Self::spare_index(table) {
            Some(index) => self.used_spares &= !(1 << index),
            None => self.free_frame(table),
        }
    }

    #[inline(always)]
    fn read(&self, table: usize, index: usize) -> Entry {
        // SAFETY: `table` is a table of ours (the element only follows entries that it wrote), and RAM is mapped.
        Entry(unsafe { Self::entry(table, index).read_volatile() })
    }

    #[inline(always)]
    fn write(&mut self, table: usize, index: usize, entry: Entry) {
        // SAFETY: as above. Tables are no Rust objects, so nothing borrows them.
        unsafe { Self::entry(table, index).write_volatile(entry.0) };
    }

    fn write_run(&mut self, table: usize, index: usize, entry: Entry, step: usize, count: usize) {
        debug_assert!(index + count <= 512);
        let mut entry = entry.0;
        // SAFETY: as above; the element asks for entries of one table.
        let entries = unsafe { core::slice::from_raw_parts_mut(Self::entry(table, index), count) };
        let step = step as u64;
        // Boot writes over a thousand entries: eight a turn, so that the loop itself counts for less.
        let mut put = |place: &mut u64| {
            *place = entry;
            entry += step;
        };
        let (eights, rest) = entries.as_chunks_mut();
        for [a, b, c, d, e, f, g, h] in eights {
            put(a);
            put(b);
            put(c);
            put(d);
            put(e);
            put(f);
            put(g);
            put(h);
        }
        rest.iter_mut().for_each(put);
    }
}

/// Zeroes a page by wide stores.
///
/// # Safety
/// The page is writable and nothing refers to it.
pub unsafe fn zero_page(page: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { core::ptr::write_bytes(page.cast::<[u64; 512]>(), 0, 1) };
}

/// Copies a page by wide stores.
///
/// # Safety
/// Both are mapped pages, and nothing refers to `to`.
pub unsafe fn copy_page(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe { core::ptr::copy_nonoverlapping(from.cast::<[u64; 512]>(), to.cast(), 1) };
}
