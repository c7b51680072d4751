//! Page tables, and where their frames come from.

use core::{
    arch::asm,
    cell::UnsafeCell,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed},
};

use machine::PAGE_SIZE;
use paging::{Entry, TableMemory, Tables};
use sync::Mutex;

use super::{direct, space::several};
use crate::layout::image_physical;

/// Tables that the loader has zeroed along with the rest of .bss: zeroing a frame costs 512 stores, and a boot up to
/// the program's first instruction needs 21 tables (`whittle bench boot` shows one too few).
const SPARE_TABLES: usize = 22;

#[repr(C, align(4096))]
struct Pool<const TABLES: usize>(UnsafeCell<[[u64; 512]; TABLES]>);

// SAFETY: tables are only reached through `PageTables`, which are behind locks, and before that by the boot code.
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

/// A bit for each spare table that is in use (and for those that do not exist none, so that all of it is zero at first
/// and takes no room in the image).
static USED_SPARES: AtomicU32 = AtomicU32::new(0);

/// The tables below one root: those of one address space, or the kernel's half of all. Behind a lock; frames have one
/// of their own (contract `frames`), which is taken inside.
pub struct PageTables {
    /// Physical address of the root table; 0 if there is none yet.
    pub root: usize,
    /// Tables put by for splitting large pages, one for each of those: physical address of the first, whose first word
    /// is that of the next; 0 if there is none.
    put_by: usize,
    /// An address of the application whose tables may be there though they are empty.
    pub kept: usize,
}

/// The kernel's half, which all address spaces have in common. Empty until `boot` fills it.
pub static KERNEL: Mutex<PageTables> = Mutex::new(PageTables::new(0));

/// Physical address of the kernel's root table, for who cannot wait for a lock.
static KERNEL_ROOT: AtomicUsize = AtomicUsize::new(0);

/// See there.
pub fn kernel_root() -> usize {
    KERNEL_ROOT.load(Relaxed)
}

/// Boot makes the root table.
pub fn set_kernel_root(root: usize) {
    KERNEL.lock().root = root;
    KERNEL_ROOT.store(root, Relaxed);
}

impl PageTables {
    /// Those below the root at this physical address.
    pub const fn new(root: usize) -> Self {
        Self { root, put_by: 0, kept: 0 }
    }

    /// To walk and change them.
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

    fn entry(table: usize, index: usize) -> *mut u64 {
        // The index has nine bits, so the pointer stays in the table.
        direct(table + (index & 511) * size_of::<u64>()).cast()
    }
}

fn spare_index(table: usize) -> Option<usize> {
    let index = table.checked_sub(spare_table(0))? / PAGE_SIZE;
    (index < SPARE_TABLES).then_some(index)
}

/// A table that comes with the image, if one is left.
fn take_spare() -> Option<usize> {
    let next = |used: u32| (used.trailing_ones() < SPARE_TABLES as u32).then(|| used | (used + 1));
    let used = USED_SPARES.fetch_update(Relaxed, Relaxed, next).ok()?;
    Some(spare_table(used.trailing_ones() as usize))
}

/// Takes a table back that is empty.
pub fn free_table(table: usize) {
    match spare_index(table) {
        Some(index) => _ = USED_SPARES.fetch_and(!(1 << index), Relaxed),
        None if several() && keep_empty(table) => {}
        None => free_frames(table, 1),
    }
}

/// Empty tables at most that are kept for the next space: about those of a small program that runs for a moment.
const MOST_KEPT: usize = 16;

/// Tables that were given back, which need not be zeroed again: how many, and the physical address of the first, whose
/// first word is that of the next.
static KEPT: Mutex<(usize, usize)> = Mutex::new((0, 0));

fn keep_empty(table: usize) -> bool {
    let mut kept = KEPT.lock();
    let (count, first) = *kept;
    if count == MOST_KEPT {
        return false;
    }
    // SAFETY: the table is nobody's any more.
    unsafe { PageTables::entry(table, 0).write_volatile(first as u64) };
    *kept = (count + 1, table);
    true
}

fn take_kept() -> Option<usize> {
    let mut kept = KEPT.lock();
    let (count, table) = *kept;
    let left = count.checked_sub(1)?;
    // SAFETY: a table of ours that nobody uses; its first word leads to the next.
    let next = unsafe { PageTables::entry(table, 0).read_volatile() };
    *kept = (left, next as usize);
    // SAFETY: as above.
    unsafe { PageTables::entry(table, 0).write_volatile(Entry::EMPTY.0) };
    Some(table)
}

impl TableMemory for PageTables {
    fn allocate(&mut self) -> Option<usize> {
        take_spare().or_else(|| if several() { take_kept() } else { None }).or_else(zeroed_frame)
    }

    fn free(&mut self, table: usize) {
        free_table(table);
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
        // SAFETY: as above; the element asks for entries of one table, and this processor holds their lock.
        let entries = unsafe { core::slice::from_raw_parts(Self::entry(table, index), end - index) };
        // The next one is near, or most of a table away: a few one by one, and then many a turn, so that the loop
        // itself counts for little.
        let mut empty = empty_entries(&entries[..entries.len().min(NEAR)]);
        if empty == NEAR {
            empty += empty_chunks::<32>(&entries[empty..]);
            empty += empty_chunks::<8>(&entries[empty..]);
            empty += empty_entries(&entries[empty..]);
        }
        index + empty
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

/// Entries that are looked at one by one before many are at once.
const NEAR: usize = 8;

/// How many of the first of these entries are empty.
#[inline(always)]
fn empty_entries(entries: &[u64]) -> usize {
    entries.iter().take_while(|&&entry| entry == 0).count()
}

/// The same, by whole chunks.
#[inline(always)]
fn empty_chunks<const LENGTH: usize>(entries: &[u64]) -> usize {
    let (chunks, _) = entries.as_chunks::<LENGTH>();
    LENGTH * chunks.iter().take_while(|chunk| chunk.iter().fold(0, |any, &entry| any | entry) == 0).count()
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
