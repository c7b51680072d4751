//! Memory over the host's: each region is one mapping of the host's, which pages on demand by itself.

use core::{
    ops::Range,
    ptr,
    sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use machine::{Access, Audit, AuditError, Larger, MemoryUse, PAGE_SIZE, PageRange, PagerError, Protection, Source};
use sync::Mutex;

use super::{arena::ARENA, audit, file_pages, hidden, mappings, stacks};
use crate::{
    host::{
        HostError,
        files::{self, OWN_FILES},
        memory::{self, Contents},
        process,
    },
    layout,
};

/// The descriptor of the boot archive.
pub const ARCHIVE: i32 = 3;

/// Where the archive begins in its file, and its bytes.
static ARCHIVE_OFFSET: AtomicUsize = AtomicUsize::new(0);
static ARCHIVE_LENGTH: AtomicUsize = AtomicUsize::new(0);
/// The limit that the command set, in bytes; 0 is none.
static LIMIT: AtomicU64 = AtomicU64::new(0);
/// `/proc/self/statm`, opened at the first question.
static SIZES: Mutex<Option<i32>> = Mutex::new(None);

/// The machine's [`machine::Pager`].
#[derive(Debug, Default)]
pub struct Pager;

impl Pager {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// Bytes that the host's limit is wider: it counts what is mapped writable, touched or not, and of what a program's main
/// stack has mapped at first little is used.
pub const SELDOM_USED: u64 = 128 << 10;

/// Says where in its file the archive begins.
pub fn set_archive(offset: usize) {
    ARCHIVE_OFFSET.store(offset, Relaxed);
}

/// Takes note of what `start` found.
pub fn set_up(archive_length: usize, limit: Option<u64>) {
    ARCHIVE_LENGTH.store(archive_length, Relaxed);
    LIMIT.store(limit.unwrap_or(0), Relaxed);
}

const NOTHING: Protection = Protection { read: false, write: false, execute: false };
const DATA: Protection = Protection { read: true, write: true, execute: false };

impl machine::Pager for Pager {
    fn user_range(&self) -> Range<usize> {
        layout::user_range()
    }

    fn attach(&self, range: PageRange, protection: Protection, source: Source) -> Result<(), PagerError> {
        check(&range, protection)?;
        mappings::wish()?;
        let contents = match source {
            Source::Zero => Contents::Zero,
            Source::Archive { offset } => {
                // A page behind the file's end would be a SIGBUS.
                let end = offset.checked_add(range.len()).ok_or(PagerError::BadRange)?;
                let available = machine::page_align_up(ARCHIVE_LENGTH.load(Relaxed)).unwrap_or(0);
                if end > available {
                    return Err(PagerError::BadRange);
                }
                Contents::File { descriptor: ARCHIVE, offset: ARCHIVE_OFFSET.load(Relaxed) + offset }
            }
            Source::Platform { address } => {
                memory::map_at(&range, DATA, Contents::Zero).map_err(refused)?;
                return fill(range, protection, address);
            }
            // A hole, until `populate` is told a page.
            Source::File { .. } => return Ok(()),
            Source::Page { .. } => return Err(PagerError::BadRange),
            Source::Direct { handle, offset, shared } => {
                Contents::file(handle as i32, usize::try_from(offset).map_err(|_| PagerError::BadRange)?, shared)
            }
        };
        memory::map_at(&range, protection, contents).map_err(refused)
    }

    fn populate(
        &self,
        page: usize,
        _: Access,
        protection: Protection,
        source: Source,
        _: Larger,
    ) -> Result<(), PagerError> {
        let range = page..page + PAGE_SIZE;
        if let Source::Page { address, shared } = source
            && memory::is_resident(page).is_err()
        {
            check(&range, protection)?;
            // Files whose pages lie here need not know when they are written.
            let (descriptor, offset) = file_pages::place(address).ok_or(PagerError::BadRange)?;
            let contents = Contents::file(descriptor, offset, shared);
            return mappings::insist(|| memory::map_at(&range, protection, contents)).map_err(refused);
        }
        // The host brings pages in by itself: what faulted had another protection.
        check(&range, protection)?;
        // SAFETY: the program's page.
        mappings::insist(|| unsafe { memory::protect(&range, protection) }).map_err(refused)
    }

    fn detach(&self, range: PageRange) {
        if check(&range, NOTHING).is_ok() {
            // SAFETY: the program's pages. A host that cannot (too many mappings) keeps them, and lets nobody else
            // have the addresses.
            let _ = mappings::insist(|| unsafe { memory::unmap(&range) });
        }
    }

    fn shows_apart(&self) -> bool {
        true
    }

    fn hide(&self, range: PageRange, shared: bool) {
        hidden::note();
        if shared {
            self.detach(range);
        } else {
            hidden::hide(&range, &mut |part| self.detach(part));
        }
    }

    fn forget(&self, range: PageRange) {
        self.detach(range);
    }

    fn protect(&self, range: PageRange, protection: Protection) -> Result<(), PagerError> {
        check(&range, protection)?;
        // The host refuses what are too many; this gives back what is held for the kernel.
        let _ = mappings::wish();
        // SAFETY: the program's pages.
        match unsafe { memory::protect(&range, protection) } {
            Err(HostError::NO_MEMORY) => protect_between_holes(range, protection),
            result => result.map_err(refused),
        }
    }

    fn discard(&self, range: PageRange, protection: Protection, source: Source) -> Result<(), PagerError> {
        check(&range, protection)?;
        if let Source::Platform { address } = source {
            // SAFETY: the program's page.
            unsafe { memory::protect(&range, DATA) }.map_err(refused)?;
            return fill(range, protection, address);
        }
        if let Source::File { .. } = source {
            self.detach(range);
            return Ok(());
        }
        // SAFETY: the program's pages.
        unsafe { memory::discard(&range) }.map_err(refused)
    }

    fn relocate(&self, from: PageRange, to: usize, protection: Protection, _: Source) -> Result<(), PagerError> {
        check(&from, protection)?;
        let end = to.checked_add(from.len()).ok_or(PagerError::BadRange)?;
        check(&(to..end), protection)?;
        relocate(from, to)
    }

    fn populate_all(&self, range: PageRange, access: Access) -> bool {
        check(&range, NOTHING).is_ok() && memory::populate(&range, access == Access::Write).is_ok()
    }

    fn prefer(&self, range: PageRange, larger: Larger) {
        if check(&range, NOTHING).is_ok() {
            // A host without larger pages refuses, and nothing is lost.
            let _ = memory::prefer_large(&range, larger == Larger::Wished);
        }
    }

    fn is_resident(&self, page: usize) -> bool {
        memory::is_resident(page).unwrap_or(false)
    }

    fn allocate_kernel(&self, count: usize) -> Result<usize, PagerError> {
        let length = count.checked_mul(PAGE_SIZE).ok_or(PagerError::OutOfMemory)?;
        let address = ARENA.lock().take(length).ok_or(PagerError::OutOfMemory)?;
        mappings::insist(|| memory::map_at(&(address..address + length), DATA, Contents::Zero)).map_err(|error| {
            ARENA.lock().give_back(address..address + length);
            refused(error)
        })?;
        Ok(address)
    }

    fn free_kernel(&self, address: usize, count: usize) {
        let range = address..address + count * PAGE_SIZE;
        let mut arena = ARENA.lock();
        assert!(arena.holds(&range), "not a kernel page");
        // SAFETY: the caller promises that nothing refers to them, and the arena has found them to be the kernel's.
        match unsafe { memory::unmap(&range) } {
            Ok(()) => arena.give_back(range),
            // Too many mappings: the addresses are lost, but not the memory.
            // SAFETY: as above.
            Err(_) => _ = unsafe { memory::discard(&range) },
        }
    }

    fn allocate_page(&self) -> Result<usize, PagerError> {
        file_pages::allocate()
    }

    fn free_page(&self, address: usize) {
        file_pages::free(address);
    }

    fn allocate_stack(&self) -> Result<usize, PagerError> {
        stacks::allocate()
    }

    fn free_stack(&self, top: usize) {
        stacks::free(top);
    }

    fn memory_use(&self) -> MemoryUse {
        match LIMIT.load(Relaxed) as usize {
            // What the host calls free leaves out its caches, which it gives up when somebody needs memory: what we do
            // not use counts as free.
            0 => {
                let total = process::host_memory();
                // Pages of files count once, however often they are mapped.
                let own = own_memory(RESIDENT).saturating_sub(own_memory(OF_FILES)) + file_pages::in_use();
                MemoryUse { total, free: total.saturating_sub(own) }
            }
            limit => {
                let used = own_memory(WRITABLE).saturating_sub(SELDOM_USED as usize) + file_pages::in_use();
                MemoryUse { total: limit, free: limit.saturating_sub(used) }
            }
        }
    }

    fn audit(&self) -> Result<Audit, AuditError> {
        audit::audit()
    }
}

fn check(range: &PageRange, protection: Protection) -> Result<(), PagerError> {
    let user = layout::user_range();
    let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
    let inside = user.start <= range.start && range.start < range.end && range.end <= user.end;
    let both = protection.write && protection.execute;
    if aligned && inside && !both { Ok(()) } else { Err(PagerError::BadRange) }
}

/// Copies the platform's page to the program's, which is writable, and protects that.
fn fill(range: PageRange, protection: Protection, address: usize) -> Result<(), PagerError> {
    if range.len() != PAGE_SIZE {
        return Err(PagerError::BadRange);
    }
    // SAFETY: both are whole pages, the program's has just been made writable, and its contents are nobody's.
    unsafe {
        ptr::copy_nonoverlapping(address as *const u8, range.start as *mut u8, PAGE_SIZE);
        memory::protect(&range, protection)
    }
    .map_err(refused)
}

/// Where files are shown there are holes: each page for itself.
#[cold]
fn protect_between_holes(range: PageRange, protection: Protection) -> Result<(), PagerError> {
    for page in range.step_by(PAGE_SIZE) {
        // SAFETY: the program's pages.
        let result = unsafe { memory::protect(&(page..page + PAGE_SIZE), protection) };
        if result.is_err() && memory::is_resident(page).is_ok() {
            result.map_err(refused)?;
        }
    }
    Ok(())
}

/// What the host's refusal means.
pub const fn refused(error: HostError) -> PagerError {
    match error {
        HostError::NO_MEMORY | HostError::AGAIN => PagerError::OutOfMemory,
        _ => PagerError::BadRange,
    }
}

/// The host moves one mapping at a time. Pages that were protected or attached apart may be several, whose borders
/// halving finds.
fn relocate(from: PageRange, to: usize) -> Result<(), PagerError> {
    // SAFETY: the program's pages.
    match unsafe { memory::relocate(&from, to) } {
        Err(HostError::FAULT | HostError::INVALID) if from.len() > PAGE_SIZE => {
            let half = machine::page_align_down(from.len() / 2);
            relocate(from.start..from.start + half, to)?;
            relocate(from.start + half..from.end, to + half)
        }
        // A hole is where the file's page has not been asked for.
        Err(HostError::FAULT) if memory::is_resident(from.start).is_err() => Ok(()),
        result => result.map_err(refused),
    }
}

/// Words of proc_pid_statm(5): what is in memory, what of that is files', each time that it is mapped, and what is mapped
/// writable and private, touched or not.
const RESIDENT: usize = 1;
const OF_FILES: usize = 2;
const WRITABLE: usize = 5;

/// Bytes that this process has, by one of those words.
fn own_memory(word: usize) -> usize {
    let opened = {
        let mut sizes = SIZES.lock();
        *sizes = sizes.or_else(|| files::open_own(&OWN_FILES.sizes).ok());
        *sizes
    };
    let Some(descriptor) = opened else { return 0 };
    let mut text = [0; 128];
    let length = files::read_at(descriptor, &mut text, 0).unwrap_or(0);
    let pages = core::str::from_utf8(&text[..length]).ok().and_then(|text| text.split(' ').nth(word)?.parse().ok());
    pages.unwrap_or(0_usize).saturating_mul(PAGE_SIZE)
}
