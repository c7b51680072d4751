//! Address spaces: which there are, and which one each processor translates by.
//!
//! The kernel's half is the same in all: each root has the kernel's entries for it, and the tables below them are
//! shared. The first space has the kernel's own root, so that a machine with one has nothing more than that.

use alloc::{boxed::Box, vec::Vec};
use core::{
    ops::Range,
    ptr::{self, NonNull},
    sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst},
};

use machine::{Access, MemoryRefused, PAGE_SIZE, PageRange, SpaceHandle, page_align_down};
use paging::{Entry, Near, PageSize, TableMemory as _, Tables};
use sync::{Mutex, MutexGuard};
use x86_64::registers::set_page_tables;

use super::{
    KERNEL, direct,
    flush::gathered,
    leaf::OWNED,
    shared::{SHARED, add, give_back, shared, unshared},
    shootdown::have_leave,
    tables::{PageTables, copy_page, free_frames, kernel_root},
};
use crate::{layout::USER, per_cpu};

/// What an address space is to this machine.
pub struct Space {
    /// Physical address of its root table; 0 for the first space, which has the kernel's.
    root: usize,
    /// The tables of the application's half.
    tables: Mutex<PageTables>,
    /// A bit for each processor that translates by it; kept where there may be several spaces.
    active: AtomicU64,
}

/// The first one; its root is the kernel's.
static FIRST: Space = Space::new(0);
/// Whether it is somebody's.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The others, and first of all one that nobody has, if there was one: the next process need not fill its root.
static FURTHER: Mutex<Vec<Further>> = Mutex::new(Vec::new());
/// Whether the first of the others is nobody's. Changes under their lock.
static IS_IDLE: AtomicBool = AtomicBool::new(false);

struct Further(NonNull<Space>);

// SAFETY: a space may be used from any processor.
unsafe impl Send for Further {}

/// Whether an image has more than one.
#[inline(always)]
pub fn several() -> bool {
    contracts::config::config().processes
}

impl Space {
    const fn new(root: usize) -> Self {
        Self { root, tables: Mutex::new(PageTables::new(root)), active: AtomicU64::new(0) }
    }

    /// The one that a handle names.
    #[inline(always)]
    pub fn of(handle: &SpaceHandle) -> &Self {
        if !several() {
            return &FIRST;
        }
        // SAFETY: a handle is made by `make` alone, from a space that lives until `give_up` has taken the handle.
        unsafe { &*ptr::with_exposed_provenance(handle.word()) }
    }

    /// Its tables.
    #[inline(always)]
    pub fn lock(&self) -> MutexGuard<'_, PageTables> {
        self.tables.lock()
    }

    /// The same, in line.
    #[inline(always)]
    pub fn lock_in_line(&self) -> MutexGuard<'_, PageTables> {
        self.tables.lock_in_line()
    }

    /// The processors that may remember translations of it.
    pub fn processors(&self) -> u64 {
        if several() { self.active.load(SeqCst) } else { u64::MAX }
    }

    /// See [`machine::Translations::activate`].
    pub fn activate(&self) {
        if !several() {
            return;
        }
        if per_cpu::space() == ptr::from_ref(self).addr() {
            return;
        }
        let root = if self.root == 0 { kernel_root() } else { self.root };
        let before = per_cpu::set_space(ptr::from_ref(self).expose_provenance());
        let here = 1 << per_cpu::number();
        // Before its tables are used: who changes them from now on has this processor forget.
        self.active.fetch_or(here, SeqCst);
        // SAFETY: its kernel's half is that of the tables in force.
        unsafe { set_page_tables(root) };
        if before != 0 {
            // SAFETY: a space that is active here, as it was up to now, lives.
            let before = unsafe { &*ptr::with_exposed_provenance::<Self>(before) };
            before.active.fetch_and(!here, SeqCst);
        }
    }

    /// This processor no longer translates by it, if it did.
    pub fn leave(&self) {
        let is_active = per_cpu::space() == ptr::from_ref(self).addr();
        if is_active {
            // SAFETY: the kernel's own tables.
            unsafe { set_page_tables(kernel_root()) };
            per_cpu::set_space(0);
            self.active.fetch_and(!(1 << per_cpu::number()), SeqCst);
        }
    }
}

/// The one that this processor translates by.
fn active() -> Option<&'static Space> {
    if !several() {
        return Some(&FIRST);
    }
    // SAFETY: an active space lives; it stays active for as long as the thread that asks runs here.
    unsafe { ptr::with_exposed_provenance::<Space>(per_cpu::space()).as_ref() }
}

/// Whether the page at `address` is there and permits the running application this access.
pub fn permits(address: usize, access: Access) -> bool {
    let space = active().filter(|_| USER.contains(&address));
    let found = space.and_then(|space| space.lock().tables().find(page_align_down(address)));
    found.is_some_and(|(entry, _)| {
        entry.has(Entry::PRESENT)
            && match access {
                Access::Read => true,
                Access::Write => entry.has(Entry::WRITABLE),
                Access::Execute => !entry.has(Entry::NO_EXECUTE),
            }
    })
}

/// See [`machine::Translations::make`].
pub fn make() -> Result<SpaceHandle, MemoryRefused> {
    if !TAKEN.swap(true, SeqCst) {
        FIRST.lock().root = kernel_root();
        return Ok(SpaceHandle::from_word((&raw const FIRST).expose_provenance()));
    }
    if several() { make_further() } else { Err(MemoryRefused::NoSpace) }
}

#[cold]
fn make_further() -> Result<SpaceHandle, MemoryRefused> {
    if let Some(idle) = take_idle() {
        return Ok(idle);
    }
    // Held until the space is in the list: what the kernel maps meanwhile would be missing there.
    let mut kernel = KERNEL.lock();
    let root = kernel.allocate().ok_or(MemoryRefused::OutOfMemory)?;
    share(&mut kernel, root);
    let space = NonNull::from(Box::leak(Box::new(Space::new(root))));
    FURTHER.lock().push(Further(space));
    Ok(SpaceHandle::from_word(space.as_ptr().expose_provenance()))
}

fn take_idle() -> Option<SpaceHandle> {
    let further = FURTHER.lock();
    let idle = further.first().filter(|_| IS_IDLE.swap(false, SeqCst))?;
    Some(SpaceHandle::from_word(idle.0.as_ptr().expose_provenance()))
}

/// Entries of a root for the kernel's half.
const KERNEL_HALF: Range<usize> = 256..512;

/// Has the root table `root` point to the kernel's tables.
fn share(kernel: &mut PageTables, root: usize) {
    for index in KERNEL_HALF {
        let entry = kernel.read(kernel.root, index);
        kernel.write(root, index, entry);
    }
}

/// Maps something at `address` for the kernel, by `map`; all spaces have it.
pub fn in_kernel_half<R>(address: usize, map: impl FnOnce(&mut Tables<'_, PageTables>) -> R) -> R {
    let mut kernel = KERNEL.lock();
    let entry = |kernel: &PageTables| kernel.read(kernel.root, address >> 39 & 511);
    let is_new = several() && entry(&kernel).is_empty();
    let result = map(&mut kernel.tables());
    if is_new && !entry(&kernel).is_empty() {
        // SAFETY: they are in the list as long as they live, and the list is locked. Nobody but the holder of the
        // kernel's lock changes this half of a root.
        FURTHER.lock().iter().for_each(|further| share(&mut kernel, unsafe { further.0.as_ref() }.root));
    }
    result
}

/// See [`machine::Translations::give_up`]; `clear` takes everything out of it.
pub fn give_up(handle: SpaceHandle, clear: impl FnOnce(&Space)) {
    let space = Space::of(&handle);
    if several() {
        space.leave();
        have_leave(space);
    }
    clear(space);
    {
        let mut tables = space.lock();
        let kept = core::mem::take(&mut tables.kept);
        tables.tables().prune(kept);
    }
    if ptr::eq(space, &FIRST) {
        TAKEN.store(false, SeqCst);
    } else {
        forget_further(handle);
    }
}

fn forget_further(handle: SpaceHandle) {
    let place = NonNull::new(ptr::with_exposed_provenance_mut::<Space>(handle.word())).expect("a space");
    {
        let mut further = FURTHER.lock();
        let Some(index) = further.iter().position(|further| further.0 == place) else { return };
        if !IS_IDLE.swap(true, SeqCst) {
            further.swap(0, index);
            return;
        }
        further.swap_remove(index);
    }
    // SAFETY: `make_further` leaked it, its only handle is given up here, and no processor has it active.
    let space = unsafe { Box::from_raw(place.as_ptr()) };
    let mut tables = space.lock();
    let root = tables.root;
    for index in KERNEL_HALF {
        tables.write(root, index, Entry::EMPTY);
    }
    tables.free(root);
}

/// Shows `visit` the spaces that have roots of their own.
pub fn each_further(visit: &mut dyn FnMut(&Space)) {
    if several() {
        // SAFETY: they are in the list as long as they live, and the list is locked.
        FURTHER.lock().iter().for_each(|further| visit(unsafe { further.0.as_ref() }));
    }
}

/// Pages of a range that are copied at once.
const COPIED: usize = 4;

/// See [`machine::Translations::duplicate`]. What each has for itself is the same frame in both, until one of them
/// stores. Of the pages that one of them will probably store into soon the first few are copied at once, which spares
/// faults.
pub fn duplicate(from: &Space, to: &Space, range: PageRange) -> Result<(), MemoryRefused> {
    let mut result = Ok(());
    gathered(from, |tables| {
        let mut to = Copying { tables: to.lock(), near: Near::default(), copied: 0 };
        tables.change(range.clone(), true, |changing, address, entry, size| {
            // Most leaves of a program are pages of its file, which the other finds again.
            if !entry.has(OWNED) || size != PageSize::Small || result.is_err() {
                return Some(entry);
            }
            match duplicate_leaf(&mut to, address, entry) {
                Ok(ours) => {
                    changing.gone.leaf(address, entry, size);
                    Some(ours)
                }
                Err(error) => {
                    result = Err(error);
                    Some(entry)
                }
            }
        });
    });
    result?;
    if from.lock().has_large_pages() { copy_large(from, to, range) } else { Ok(()) }
}

/// Gives the other space what this one has at `address`, and answers the leaf that this one is to have from now on.
/// `copied` counts the pages that were copied at once: those stored into since the last time, which both probably will
/// again, and those that some space had to copy while they were shared. Processes do the same in each child.
#[inline(never)]
fn duplicate_leaf(to: &mut Copying<'_>, address: usize, entry: Entry) -> Result<Entry, MemoryRefused> {
    let may_copy = to.copied < COPIED;
    let is_stored = !entry.has(SHARED) && entry.has(Entry::WRITABLE | Entry::DIRTY);
    let is_shared = !(is_stored && may_copy) && add(entry.address(), may_copy);
    if !is_shared && let Some(frame) = copy_of(entry.address()) {
        to.copied += 1;
        let ours = Entry(entry.0 & !Entry::DIRTY);
        to.put(address, unshared(ours.at(frame))).inspect_err(|_| free_frames(frame, 1))?;
        return Ok(ours);
    }
    if !is_shared {
        add(entry.address(), false);
    }
    let leaf = shared(entry);
    to.put(address, leaf).inspect_err(|_| give_back(entry.address(), 1))?;
    Ok(leaf)
}

/// The space that becomes a copy.
struct Copying<'a> {
    tables: MutexGuard<'a, PageTables>,
    near: Near,
    /// Pages that were copied at once.
    copied: usize,
}

impl Copying<'_> {
    /// Gives `page` this leaf.
    #[inline(always)]
    fn put(&mut self, page: usize, leaf: Entry) -> Result<(), MemoryRefused> {
        self.tables.tables().put(&mut self.near, page, leaf).map_err(|_| MemoryRefused::OutOfMemory)
    }
}

/// A frame with the contents of this one, whose space's tables are locked; its physical address.
fn copy_of(physical: usize) -> Option<usize> {
    let frame = contracts::frames::allocate()? * PAGE_SIZE;
    // SAFETY: a frame that a space has for itself, whose book is locked, and one that was just given to us.
    unsafe { copy_page(direct(physical), direct(frame)) };
    Some(frame)
}

/// Copies what is in large pages.
fn copy_large(from: &Space, to: &Space, range: PageRange) -> Result<(), MemoryRefused> {
    let mut next = range.start;
    while let Some((leaf, size)) = next_leaf(from, next..range.end) {
        let found = from.lock().tables().find(leaf);
        let end = leaf.saturating_add(size.bytes()).min(range.end);
        let first = next.max(leaf);
        next = end;
        let Some((entry, PageSize::Large)) = found else { continue };
        for page in (first..end).step_by(PAGE_SIZE) {
            let original = (entry.address() & !(size.bytes() - 1)) + (page - leaf);
            copy_to(to, page, original, entry)?;
        }
    }
    Ok(())
}

fn next_leaf(space: &Space, range: PageRange) -> Option<(usize, PageSize)> {
    space.lock().tables().next_leaf(range)
}

/// Gives `page` of `to` a copy of the frame at `original`, with the rights of `entry`.
fn copy_to(to: &Space, page: usize, original: usize, entry: Entry) -> Result<(), MemoryRefused> {
    let frame = copy_of(original).ok_or(MemoryRefused::OutOfMemory)?;
    let leaf = Entry(entry.at(frame).0 & !Entry::LARGE);
    let put = to.lock().tables().put(&mut Near::default(), page, leaf);
    put.map_err(|_| {
        free_frames(frame, 1);
        MemoryRefused::OutOfMemory
    })
}
