//! The machine's memory: its page tables, and where their frames come from.

use core::{arch::asm, cell::UnsafeCell};

use machine::PAGE_SIZE;
use paging::{Entry, TableMemory, Tables};
use sync::Mutex;

use super::direct;
use crate::layout::image_physical;

/// Tables that the loader has zeroed along with the rest of .bss: zeroing a frame costs 512 stores, and a boot up to
/// the program's first instruction needs 21 tables (`whittle bench boot` shows one too few).
const SPARE_TABLES: usize = 22;

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

/// The tables of the machine, behind one lock. Frames have one of their own (contract `frames`), which is taken inside.
pub struct Memory {
    /// A bit for each spare table that is in use (and for those that do not exist none, so that all of it is zero at
    /// first and takes no room in the image).
    used_spares: u32,
    /// The root table.
    pub root: usize,
    /// Tables put by for splitting large pages, one for each of those: physical address of the first, whose first word
    /// is that of the next; 0 if there is none.
    put_by: usize,
    /// An address of the application whose tables may be there though they are empty.
    pub kept: usize,
    /// Physical address and bytes of the boot archive.
    pub archive: (usize, usize),
    /// What every leaf of the application has: [`Entry::USER`] when it runs at ring 3.
    pub user_flag: u64,
}

/// The machine's memory. Empty until `boot` fills it.
pub static MEMORY: Mutex<Memory> =
    Mutex::new(Memory { used_spares: 0, root: 0, put_by: 0, kept: 0, archive: (0, 0), user_flag: 0 });

impl Memory {
    /// The tables in force.
    pub fn tables(&mut self) -> Tables<'_, Self> {
        let root = self.root;
        Tables::new(self, root)
    }

    /// Puts a table by, so that a large page can be split when no frame is left. `false` if there is none now.
    pub fn put_table_by(&mut self) -> bool {
        let Some(table) = self.allocate() else { return false };
        self.write(table, 0, Entry(self.put_by as u64));
        self.put_by = table;
        true
    }

    /// Whether there are large pages.
    pub const fn has_large_pages(&self) -> bool {
        self.put_by != 0
    }

    /// One of the tables put by, empty.
    pub fn take_table_put_by(&mut self) -> usize {
        let table = self.put_by;
        self.put_by = self.read(table, 0).0 as usize;
        self.write(table, 0, Entry::EMPTY);
        table
    }

    fn spare_index(table: usize) -> Option<usize> {
        let index = table.checked_sub(spare_table(0))? / PAGE_SIZE;
        (index < SPARE_TABLES).then_some(index)
    }

    /// Whether this is one of the tables that come with the image.
    pub fn is_spare(table: usize) -> bool {
        Self::spare_index(table).is_some()
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
        zeroed_frame()
    }

    fn free(&mut self, table: usize) {
        match Self::spare_index(table) {
            Some(index) => self.used_spares &= !(1 << index),
            None => free_frames(table, 1),
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

    fn next_used(&self, table: usize, index: usize, end: usize) -> usize {
        debug_assert!(index <= end && end <= 512);
        // SAFETY: as above; the element asks for entries of one table, and this processor holds the lock of all tables.
        let entries = unsafe { core::slice::from_raw_parts(Self::entry(table, index), end - index) };
        let (eights, _) = entries.as_chunks::<8>();
        let empty = eights.iter().take_while(|[a, b, c, d, e, f, g, h]| a | b | c | d | e | f | g | h == 0).count();
        let rest = &entries[empty * 8..];
        end - rest.len() + rest.iter().position(|&entry| entry != 0).unwrap_or(rest.len())
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

/// A frame full of zeros; its physical address.
#[inline]
pub fn zeroed_frame() -> Option<usize> {
    let physical = contracts::frames::allocate()? * PAGE_SIZE;
    // SAFETY: the frame was just given to us, so nothing refers to it.
    unsafe { zero_page(direct(physical)) };
    Some(physical)
}

/// Takes frames back that nothing reaches any more.
pub fn free_frames(physical: usize, count: usize) {
    if let Err(error) = contracts::frames::free_run(physical / PAGE_SIZE, count) {
        panic!("a frame was given back wrongly: {error:?}");
    }
}

/// Zeroes a page.
///
/// # Safety
/// The page is writable and nothing refers to it.
pub unsafe fn zero_page(page: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        asm!("rep stosq", inout("rdi") page => _, inout("rcx") PAGE_SIZE / 8 => _, in("rax") 0_u64,
             options(nostack, preserves_flags));
    }
}

/// Copies a page.
///
/// # Safety
/// Both are mapped pages, and nothing refers to `to`.
pub unsafe fn copy_page(from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        asm!("rep movsq", inout("rdi") to => _, inout("rsi") from => _, inout("rcx") PAGE_SIZE / 8 => _,
             options(nostack, preserves_flags));
    }
}
