//! Translations by the host: each region is one mapping of the host's, which pages on demand by itself.

use core::{
    ops::Range,
    ptr,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use machine::{Access, Larger, MemoryRefused, PAGE_SIZE, PageRange, Protection, Source, SpaceHandle};

use super::{anchor, code, file_pages, hidden, mappings, platform_page, report, spaces};
use crate::{
    host::{
        HostError,
        memory::{self, Contents},
    },
    layout,
};

/// The descriptor of the boot archive.
pub const ARCHIVE: i32 = 3;

/// Where the archive begins in its file, and its bytes.
static ARCHIVE_OFFSET: AtomicUsize = AtomicUsize::new(0);
static ARCHIVE_LENGTH: AtomicUsize = AtomicUsize::new(0);
/// The machine's [`machine::Translations`]: a space is a process of the host's.
#[derive(Debug, Default)]
pub struct Translations;

impl Translations {
    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        Self
    }
}

/// Says where in its file the archive begins.
pub fn set_archive(offset: usize) {
    ARCHIVE_OFFSET.store(offset, Relaxed);
}

/// Says how long it is.
pub fn set_archive_length(length: usize) {
    ARCHIVE_LENGTH.store(length, Relaxed);
}

const NOTHING: Protection = Protection { read: false, write: false, execute: false };
/// What the kernel's pages allow.
pub const DATA: Protection = Protection { read: true, write: true, execute: false };

impl machine::Translations for Translations {
    fn user_range(&self) -> Range<usize> {
        layout::user_range()
    }

    #[inline(always)]
    fn several(&self) -> bool {
        contracts::config::config().processes
    }

    fn make(&self) -> Result<SpaceHandle, MemoryRefused> {
        spaces::make()
    }

    fn give_up(&self, space: SpaceHandle) {
        spaces::give_up(space);
    }

    // Who is there need not go there; and a process that is to end does so when it is left.
    fn ends_in_place(&self) -> bool {
        true
    }

    #[inline(always)]
    fn activate(&self, space: &SpaceHandle) {
        spaces::activate(space);
    }

    // The host copies a process as a whole.
    fn copies_whole(&self) -> bool {
        true
    }

    fn make_copy(&self, from: &SpaceHandle) -> Result<SpaceHandle, MemoryRefused> {
        spaces::make_copy(from)
    }

    fn duplicate(&self, _: &SpaceHandle, _: &SpaceHandle, _: PageRange) -> Result<(), MemoryRefused> {
        Err(MemoryRefused::NoSpace)
    }

    fn attach(
        &self,
        space: &SpaceHandle,
        range: PageRange,
        protection: Protection,
        source: Source,
    ) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check(&range, protection)?;
        mappings::wish()?;
        anchor::give_way(&range);
        let contents = match source {
            Source::Zero => Contents::Zero,
            Source::Archive { offset } => {
                // A page behind the file's end would be a SIGBUS.
                let end = offset.checked_add(range.len()).ok_or(MemoryRefused::BadRange)?;
                let available = machine::page_align_up(ARCHIVE_LENGTH.load(Relaxed)).unwrap_or(0);
                if end > available {
                    return Err(MemoryRefused::BadRange);
                }
                Contents::File { descriptor: ARCHIVE, offset: ARCHIVE_OFFSET.load(Relaxed) + offset }
            }
            Source::Platform { address } => {
                if range.len() == PAGE_SIZE
                    && let Some((descriptor, offset)) = platform_page::place(address)
                    && memory::map_at(&range, protection, Contents::File { descriptor, offset }).is_ok()
                {
                    return Ok(());
                }
                memory::map_at(&range, DATA, Contents::Zero).map_err(refused)?;
                return fill(range, protection, address);
            }
            // A hole, until `populate` is told a page.
            Source::File { .. } => return Ok(()),
            Source::Page { .. } => return Err(MemoryRefused::BadRange),
            Source::Direct { handle, offset, shared } => {
                Contents::file(handle as i32, usize::try_from(offset).map_err(|_| MemoryRefused::BadRange)?, shared)
            }
        };
        memory::map_at(&range, protection, contents).map_err(refused)
    }

    fn populate(
        &self,
        space: &SpaceHandle,
        page: usize,
        _: Access,
        protection: Protection,
        source: Source,
        _: Larger,
    ) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        let range = page..page + PAGE_SIZE;
        if let Source::Page { address, shared } = source
            && memory::is_resident(page).is_err()
        {
            check(&range, protection)?;
            // Files whose pages lie here need not know when they are written.
            let (descriptor, offset) = file_pages::place(address).ok_or(MemoryRefused::BadRange)?;
            let contents = Contents::file(descriptor, offset, shared);
            return mappings::insist(|| memory::map_at(&range, protection, contents)).map_err(refused);
        }
        // The host brings pages in by itself: what faulted had another protection.
        check(&range, protection)?;
        // SAFETY: the program's page.
        mappings::insist(|| unsafe { memory::protect(&range, protection) }).map_err(refused)
    }

    fn populate_run(&self, space: &SpaceHandle, range: PageRange, protection: Protection, source: Source) -> bool {
        let _there = spaces::visit(space);
        let Source::Page { address, shared } = source else { return false };
        let Some((descriptor, offset)) = file_pages::place(address) else { return false };
        check(&range, protection).is_ok()
            && memory::map_at(&range, protection, Contents::file(descriptor, offset, shared)).is_ok()
    }

    fn detach(&self, space: &SpaceHandle, range: PageRange) {
        let _there = spaces::visit(space);
        detach(range);
    }

    fn shows_apart(&self) -> bool {
        true
    }

    fn hide(&self, space: &SpaceHandle, range: PageRange, shared: bool) {
        let _there = spaces::visit(space);
        hidden::note();
        if shared {
            detach(range);
        } else {
            hidden::hide(&range, &mut |part| detach(part));
        }
    }

    fn forget(&self, space: &SpaceHandle, range: PageRange) {
        let _there = spaces::visit(space);
        detach(range);
    }

    fn keep_tables(&self, space: &SpaceHandle, page: usize, is_free: &dyn Fn() -> bool) {
        let _there = spaces::visit(space);
        anchor::keep(page, is_free);
    }

    fn protect(&self, space: &SpaceHandle, range: PageRange, protection: Protection) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check(&range, protection)?;
        // The host refuses what are too many; this gives back what is held for the kernel.
        let _ = mappings::wish();
        // SAFETY: the program's pages.
        match unsafe { memory::protect(&range, protection) } {
            Err(HostError::NO_MEMORY) => protect_between_holes(range, protection),
            result => result.map_err(refused),
        }
    }

    fn discard(
        &self,
        space: &SpaceHandle,
        range: PageRange,
        protection: Protection,
        source: Source,
    ) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check(&range, protection)?;
        if let Source::Platform { address } = source {
            // SAFETY: the program's page.
            unsafe { memory::protect(&range, DATA) }.map_err(refused)?;
            return fill(range, protection, address);
        }
        if let Source::File { .. } = source {
            detach(range);
            return Ok(());
        }
        // SAFETY: the program's pages.
        unsafe { memory::discard(&range) }.map_err(refused)
    }

    fn relocate(
        &self,
        space: &SpaceHandle,
        from: PageRange,
        to: usize,
        protection: Protection,
        _: Source,
    ) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check(&from, protection)?;
        let end = to.checked_add(from.len()).ok_or(MemoryRefused::BadRange)?;
        check(&(to..end), protection)?;
        anchor::give_way(&(to..end));
        relocate(from, to)
    }

    fn populate_all(&self, space: &SpaceHandle, range: PageRange, access: Access) -> bool {
        let _there = spaces::visit(space);
        check(&range, NOTHING).is_ok() && memory::populate(&range, access == Access::Write).is_ok()
    }

    fn prefer(&self, space: &SpaceHandle, range: PageRange, larger: Larger) {
        let _there = spaces::visit(space);
        if check(&range, NOTHING).is_ok() {
            // A host without larger pages refuses, and nothing is lost.
            let _ = memory::prefer_large(&range, larger == Larger::Wished);
        }
    }

    fn read(&self, space: &SpaceHandle, address: usize, bytes: &mut [u8]) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check_bytes(address, bytes.len())?;
        code::read(address, bytes).map_err(refused)
    }

    fn write_code(&self, space: &SpaceHandle, address: usize, bytes: &[u8]) -> Result<(), MemoryRefused> {
        let _there = spaces::visit(space);
        check_bytes(address, bytes.len())?;
        code::write(address, bytes).map_err(refused)
    }

    fn is_resident(&self, space: &SpaceHandle, page: usize) -> bool {
        let _there = spaces::visit(space);
        memory::is_resident(page).unwrap_or(false)
    }

    fn resident(&self, space: &SpaceHandle) -> usize {
        report::resident(space)
    }
}

/// Takes the program's pages in `range` away, in the space that the processor is in.
pub fn detach(range: PageRange) {
    if check(&range, NOTHING).is_ok() {
        // SAFETY: the program's pages. A host that cannot (too many mappings) keeps them, and lets nobody else
        // have the addresses.
        let _ = mappings::insist(|| unsafe { memory::unmap(&range) });
    }
}

fn check(range: &PageRange, protection: Protection) -> Result<(), MemoryRefused> {
    let user = layout::user_range();
    let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
    let inside = user.start <= range.start && range.start < range.end && range.end <= user.end;
    let both = protection.write && protection.execute;
    if aligned && inside && !both { Ok(()) } else { Err(MemoryRefused::BadRange) }
}

/// Whether all of these bytes are the program's to have.
fn check_bytes(address: usize, length: usize) -> Result<(), MemoryRefused> {
    let user = layout::user_range();
    let end = address.checked_add(length).ok_or(MemoryRefused::BadRange)?;
    if user.start <= address && end <= user.end { Ok(()) } else { Err(MemoryRefused::BadRange) }
}

/// Copies the platform's page to the program's, which is writable, and protects that.
fn fill(range: PageRange, protection: Protection, address: usize) -> Result<(), MemoryRefused> {
    if range.len() != PAGE_SIZE {
        return Err(MemoryRefused::BadRange);
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
fn protect_between_holes(range: PageRange, protection: Protection) -> Result<(), MemoryRefused> {
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
pub const fn refused(error: HostError) -> MemoryRefused {
    match error {
        HostError::NO_MEMORY | HostError::AGAIN => MemoryRefused::OutOfMemory,
        _ => MemoryRefused::BadRange,
    }
}

/// The host moves one mapping at a time. Pages that were protected or attached apart may be several, whose borders
/// halving finds.
fn relocate(from: PageRange, to: usize) -> Result<(), MemoryRefused> {
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
