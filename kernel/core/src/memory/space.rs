//! An address space: its book, its layout, and what can be taken away from it.

use alloc::{sync::Arc, vec::Vec};
use core::{
    mem::ManuallyDrop,
    ops::Range,
    sync::atomic::{AtomicBool, AtomicUsize},
};

use machine::{Access, LARGE_PAGE_SIZE, Larger, MemoryRefused, PAGE_SIZE, PageRange, Protection, Source, SpaceHandle};
use regions::{FileReference, Keep, NotKept, Region, RegionKind};
use rewrite::Patcher;
use sync::Mutex;

use super::{
    limits::{Account, Bounds},
    program_break::ProgramBreak,
    rewriting::is_stubs,
};

/// Why a memory operation was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// No memory, or no room in the address space.
    OutOfMemory,
    /// The addresses are not ones an application may use, or the length is 0 or too long.
    BadRange,
    /// Part of the range is not mapped.
    NotMapped,
    /// A shared mapping would be written whose file was not opened for that.
    NotWritable,
    /// Something is mapped there already.
    Exists,
    /// It is sealed.
    Sealed,
}

impl From<MemoryRefused> for MemoryError {
    fn from(error: MemoryRefused) -> Self {
        match error {
            MemoryRefused::OutOfMemory | MemoryRefused::NoSpace => Self::OutOfMemory,
            MemoryRefused::BadRange => Self::BadRange,
        }
    }
}

/// An application's address space.
pub struct AddressSpace {
    /// The platform's name for its translations.
    pub(super) handle: SpaceHandle,
    /// Addresses an application may use at all.
    pub(super) limits: Range<usize>,
    /// Bytes that a region which grows down may reach.
    pub(super) stack_limit: AtomicUsize,
    /// Whether a page of a file was shown since those were hidden last.
    pub(super) shown: AtomicBool,
    /// Whether words may be others' too.
    pub(super) shares: AtomicBool,
    pub(super) bounds: Bounds,
    pub(super) state: Mutex<State>,
}

/// The book, in the form that the image wants.
pub(super) type Regions = regions::Regions<AsConfigured>;

pub(super) struct AsConfigured;

impl Keep for AsConfigured {
    #[inline(always)]
    fn many() -> bool {
        contracts::config::config().many_mappings
    }
}

pub(super) struct State {
    pub(super) regions: Regions,
    /// Mappings without a wished address are placed below this.
    pub(super) map_ceiling: usize,
    pub(super) program_break: ProgramBreak,
    pub(super) account: Account,
    /// Files of mappings that are gone.
    pub(super) left: Vec<FileReference>,
    /// What has become of the program's system calls, once one has trapped; a copy has it in common with its original
    /// until one of them changes it. It is dropped by hand, so that an image without the setting has nothing of it.
    pub(super) patcher: ManuallyDrop<Option<Arc<Patcher>>>,
    /// Traps that were not counted, because the patcher would have had to be copied for them.
    pub(super) uncounted: u8,
}

/// Regions that an address space may have: Linux' `max_map_count`.
pub(super) const MOST_REGIONS: usize = 65_530;

impl State {
    /// Refuses to split regions at the borders of `range` where there are too many already.
    #[inline(always)]
    pub(super) fn may_split(&self, range: &PageRange) -> Result<(), MemoryError> {
        if !AsConfigured::many() || self.regions.count() < MOST_REGIONS { Ok(()) } else { self.splits_none(range) }
    }

    #[cold]
    #[inline(never)]
    fn splits_none(&self, range: &PageRange) -> Result<(), MemoryError> {
        let is_inside = |at| self.regions.find(at).is_some_and(|region| region.start < at);
        if is_inside(range.start) || is_inside(range.end) { Err(MemoryError::OutOfMemory) } else { Ok(()) }
    }

    /// Whether files are to be let go of.
    pub(super) const fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Takes what is mapped in `range` away.
    pub(super) fn release(&mut self, space: &SpaceHandle, range: &PageRange) {
        self.release_code(space, range);
        let Self { regions, account, left, .. } = self;
        regions.remove(range, &mut |region, part| {
            if let Some(file) = &region.file {
                left.push(file.clone());
            }
            if account.counts() && !is_stubs(region) {
                account.take(region, part.len());
            }
            contracts::translations::detach(space, part);
        });
    }
}

impl AddressSpace {
    /// Bits of randomness in the place of mappings and of position-independent programs.
    const RANDOM_BITS: u32 = 34;

    /// A new address space, empty. `randomize` moves the top of mappings by a random distance.
    pub fn new(randomize: bool) -> Result<Arc<Self>, MemoryError> {
        let limits = contracts::translations::user_range();
        let state = State {
            // A static program has so many; more than that grow.
            regions: Regions::with_capacity(16),
            map_ceiling: limits.end,
            program_break: ProgramBreak::default(),
            account: Account::default(),
            left: Vec::new(),
            patcher: ManuallyDrop::default(),
            uncounted: 0,
        };
        let space = Self {
            handle: contracts::translations::make()?,
            limits,
            stack_limit: AtomicUsize::new(0),
            shown: AtomicBool::new(false),
            shares: AtomicBool::new(false),
            bounds: Bounds::default(),
            state: Mutex::new(state),
        };
        space.place(randomize);
        Ok(Arc::new(space))
    }

    /// Empties the space for a new program (execve) and places its mappings anew.
    pub fn clear(&self, randomize: bool) {
        let mut state = self.state.lock();
        state.program_break = ProgramBreak::default();
        if contracts::config().rewrite {
            *state.patcher = None;
        }
        state.release(&self.handle, &self.limits);
        self.begin_anew(&mut state);
        drop(state);
        self.let_go();
        self.place(randomize);
    }

    fn place(&self, randomize: bool) {
        // The main stack lies above the mappings: leave it room.
        let shift = if randomize { random(Self::RANDOM_BITS) * PAGE_SIZE } else { 0 };
        let room = machine::page_align_down((self.limits.end - self.limits.start) / 2);
        self.state.lock().map_ceiling = self.limits.end - STACK_ROOM - shift % room;
    }

    /// The addresses an application may use.
    #[must_use]
    pub fn limits(&self) -> Range<usize> {
        self.limits.clone()
    }

    /// The addresses above all placed mappings, for the main stack.
    #[must_use]
    pub fn stack_window(&self) -> Range<usize> {
        let ceiling = self.state.lock().map_ceiling;
        ceiling..(ceiling + STACK_ROOM).min(self.limits.end)
    }

    /// A random page-aligned address inside `window` at which `length` bytes fit, and nothing is mapped.
    #[must_use]
    pub fn random_place(&self, window: Range<usize>, length: usize) -> Option<usize> {
        let pages = window.end.checked_sub(window.start)?.checked_sub(length)? / PAGE_SIZE;
        let state = self.state.lock_in_line();
        (0..64)
            .map(|_| window.start + random(Self::RANDOM_BITS) % (pages + 1) * PAGE_SIZE)
            .find(|&start| !state.regions.overlaps(&(start..start + length)))
    }

    /// Takes mappings away (munmap). Unmapped parts are passed over.
    pub fn unmap(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock_in_line();
        state.may_change(&range)?;
        state.may_split(&range)?;
        if range.end == state.map_ceiling {
            self.keep_tables(&state);
        }
        state.release(&self.handle, &range);
        let has_left = state.has_left();
        drop(state);
        if has_left {
            self.let_go();
        }
        Ok(())
    }

    /// What a program maps when it has nothing else stands alone at the top: a host gives its page tables back with it.
    #[inline(always)]
    fn keep_tables(&self, state: &State) {
        let page = state.map_ceiling;
        let is_free = || {
            let is_neighbour = !page.is_multiple_of(LARGE_PAGE_SIZE);
            is_neighbour && page < self.limits.end && state.regions.is_free(&(page..page + PAGE_SIZE))
        };
        contracts::translations::keep_tables(&self.handle, page, &is_free);
    }

    /// Takes shared memory away that was attached at `address`, in as many pieces as are left of it; `false` if none
    /// was.
    pub fn detach(&self, address: usize) -> bool {
        let mut state = self.state.lock();
        // Also where its first pages are gone, a piece stands as far from the address as from the segment's beginning.
        let is_piece = |region: &Region| region.start.wrapping_sub(address) as u64 == region.offset;
        let attached = |region: &Region| region.file.as_ref().and_then(|file| file.attached());
        let mut regions = state.regions.from(address);
        let Some(first) = regions.find(|region| attached(region).is_some() && is_piece(region)) else { return false };
        let size = attached(first).and_then(|size| usize::try_from(size).ok()).unwrap_or(usize::MAX);
        let end = address.saturating_add(size);
        let others = regions.take_while(|region| region.start < end);
        let others = others.filter(|region| region.file == first.file && is_piece(region));
        let pieces = core::iter::once(first).chain(others).filter(|region| !region.sealed);
        let pieces: Vec<PageRange> = pieces.map(Region::range).collect();
        for piece in pieces {
            state.release(&self.handle, &piece);
        }
        drop(state);
        self.let_go();
        true
    }

    /// Lets go of files whose mappings are gone. Not under the lock: whoever holds a file last may write it back, and
    /// that has this space forget its pages.
    pub(super) fn let_go(&self) {
        let left = core::mem::take(&mut self.state.lock().left);
        drop(left);
    }

    /// Changes what may be done (mprotect). Mapped pages before the first gap are changed even when
    /// [`MemoryError::NotMapped`] is answered, as Linux does.
    pub fn protect(&self, range: PageRange, protection: Protection) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock_in_line();
        state.may_change(&range)?;
        state.may_split(&range)?;
        state.leave(&self.handle, &self.limits, &range);
        let mut at = range.start;
        while at < range.end {
            let region = state.regions.find(at).filter(|region| !is_stubs(region));
            let region = region.ok_or(MemoryError::NotMapped)?;
            let piece = at..region.end.min(range.end);
            let is_foreign = protection.write && region.source.is_shared();
            if is_foreign && region.file.as_ref().is_some_and(|file| !file.may_write()) {
                return Err(MemoryError::NotWritable);
            }
            let counts = state.account.counts();
            let data = if counts { self.data_with(&state, region, protection, piece.len())? } else { 0 };
            let granted = super::fault::granted_first(protection);
            self.insist(&state, || contracts::translations::protect(&self.handle, piece.clone(), granted))?;
            state.regions.protect(&piece, protection);
            if counts {
                state.account.data = data;
            }
            at = piece.end;
        }
        Ok(())
    }

    /// Forgets the contents of pages (MADV_DONTNEED); the next access finds what a fresh mapping would hold.
    pub fn discard(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock();
        state.leave(&self.handle, &self.limits, &range);
        // A file's bytes that were copied when it was mapped could not be found again: they stay. So does what is
        // shared.
        let stays = |region: &Region| {
            let is_copied = region.file.is_some() && region.source == Source::Zero;
            is_copied || region.kind == RegionKind::Shared || is_stubs(region)
        };
        let mut regions = state.regions.from(range.start).take_while(|region| region.start < range.end).peekable();
        let (mut at, mut gap) = (range.start, false);
        while let Some(region) = regions.next() {
            let start = region.start.max(at);
            gap |= start > at;
            at = region.end.min(range.end);
            if stays(region) {
                continue;
            }
            // A thread's stack and the page that guards it are forgotten together.
            while contracts::translations::forgets_alike()
                && let Some(next) = regions.next_if(|next| next.start == at && !stays(next))
            {
                at = next.end.min(range.end);
            }
            let granted = super::fault::granted_first(region.protection);
            contracts::translations::discard(&self.handle, start..at, granted, region.source_at(start))?;
        }
        gap |= at < range.end;
        if gap { Err(MemoryError::NotMapped) } else { Ok(()) }
    }

    /// Notes whether larger pages are wanted (MADV_HUGEPAGE, MADV_NOHUGEPAGE).
    pub fn prefer(&self, range: PageRange, larger: Larger) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock();
        state.may_split(&range)?;
        state.regions.change(&range, &mut |region| region.larger = larger);
        contracts::translations::prefer(&self.handle, range.clone(), larger);
        if state.regions.covers(&range) { Ok(()) } else { Err(MemoryError::NotMapped) }
    }

    /// Makes all pages of `range` present for `access`; `false` if one is not mapped, or not for that.
    pub fn populate(&self, range: PageRange, access: Access) -> bool {
        if self.check(&range).is_err() || !self.is_mapped(&range) {
            return false;
        }
        contracts::translations::populate_all(&self.handle, range.clone(), access)
            || range.step_by(PAGE_SIZE).all(|page| self.resolve(page, access))
    }

    /// Makes the pages of `range` present that the program may touch, its own writable ones as if written; `false` if
    /// there are others.
    pub fn fault_in(&self, range: PageRange) -> bool {
        let (mut at, mut all) = (range.start, true);
        while at < range.end
            && let Some(region) = self.region_behind(at).filter(|region| region.start < range.end)
        {
            let stores = region.protection.write && !region.source.is_shared();
            let access = if stores { Access::Write } else { Access::Read };
            let piece = region.start.max(at)..region.end.min(range.end);
            at = piece.end;
            all &= self.populate(piece, access);
        }
        all
    }

    /// Makes this the address space that the running processor translates by.
    #[inline(always)]
    pub(crate) fn activate(&self) {
        contracts::translations::activate(&self.handle);
    }

    /// Shows `fill` bytes of it where the kernel reaches them, as [`machine::UserMemory::lend`] has it: this is the
    /// active address space.
    pub fn lend(&self, address: usize, length: usize, fill: &mut dyn FnMut(&mut [&mut [u8]])) -> bool {
        contracts::user_memory::lend(&self.handle, address, length, fill)
    }

    /// Lets go of the files that are mapped, and of the mappings: no thread goes on in it. What it shows goes with
    /// itself.
    pub fn abandon(&self) {
        let mut state = self.state.lock();
        let regions = core::mem::replace(&mut state.regions, Regions::with_capacity(0));
        let files = core::mem::take(&mut state.left);
        drop(state);
        drop((regions, files));
    }

    /// Bytes of it that are in memory now; the machine may leave out those of files.
    #[must_use]
    pub fn resident(&self) -> usize {
        contracts::translations::resident(&self.handle)
    }

    /// Whether this page is in memory.
    #[must_use]
    pub fn is_resident(&self, page: usize) -> bool {
        let state = self.state.lock();
        let in_archive = |region: &Region| matches!(region.source, Source::Archive { .. });
        state
            .regions
            .find(page)
            .is_some_and(|region| in_archive(region) || contracts::translations::is_resident(&self.handle, page))
    }

    /// Reads what stands at `address` into `bytes`; `false` where not all of it is in memory.
    #[must_use]
    pub fn read(&self, address: usize, bytes: &mut [u8]) -> bool {
        let state = self.state.lock();
        // There is none in one that has been abandoned.
        state.regions.find(address).is_some() && contracts::translations::read(&self.handle, address, bytes).is_ok()
    }

    /// Whether `address` is in a file's mapping that allows `access`: then what failed there is the file, which has
    /// ended before, cannot be read, or has no room for what is stored.
    #[must_use]
    pub fn is_files_fault(&self, address: usize, access: Access) -> bool {
        let Some(region) = self.region(address) else { return false };
        let shows = region.kind == RegionKind::BehindFile || region.file.is_some();
        shows && super::fault::allows(region.protection, access)
    }

    /// Shows these pages of the file with this key ([`regions::MappedFile::key`]) no longer.
    pub fn forget_file(&self, key: usize, pages: Range<u64>) {
        self.state.lock().regions.each_of_file(key, &mut |region| {
            if let Some(range) = region.addresses_of(&pages) {
                contracts::translations::forget(&self.handle, range);
            }
        });
    }

    /// Brings what has been stored into shared mappings of files in `range` to where the files stay; the first error.
    pub fn flush(&self, range: &PageRange) -> Result<(), NotKept> {
        let mut at = range.start;
        let mut all = Ok(());
        while at < range.end
            && let Some(region) = self.region_behind(at).filter(|region| region.start < range.end)
        {
            let piece = region.start.max(at)..region.end.min(range.end);
            at = piece.end;
            if region.source.is_shared()
                && let Some(file) = &region.file
            {
                all = all.and(file.flush(region.file_page(piece.start)..region.file_page(piece.end - 1) + 1));
            }
        }
        all
    }

    /// The first region that ends behind `address`, copied.
    fn region_behind(&self, address: usize) -> Option<Region> {
        self.state.lock().regions.first_behind(address).cloned()
    }

    /// Whether every page of `range` is mapped.
    #[must_use]
    pub fn is_mapped(&self, range: &PageRange) -> bool {
        self.state.lock().regions.covers(range)
    }

    /// The region that holds `address`, copied.
    #[must_use]
    pub fn region(&self, address: usize) -> Option<Region> {
        self.state.lock().regions.find(address).cloned()
    }

    /// Calls `visit` for each region of the program's in ascending order, with nothing locked: it may ask the region's
    /// file.
    pub fn for_each_region(&self, visit: &mut dyn FnMut(&Region)) {
        let mut at = 0;
        while let Some(region) = self.region_behind(at) {
            at = region.end;
            if !is_stubs(&region) {
                visit(&region);
            }
        }
    }

    /// Whether `wanted` is true of a region that has a part in `range`.
    pub fn any_region(&self, range: &PageRange, wanted: &dyn Fn(&Region) -> bool) -> bool {
        self.state.lock().regions_in(range).any(wanted)
    }

    /// A range must be page-aligned, not empty, and within the limits.
    pub(super) fn check(&self, range: &PageRange) -> Result<(), MemoryError> {
        let aligned = range.start.is_multiple_of(PAGE_SIZE) && range.end.is_multiple_of(PAGE_SIZE);
        let inside = self.limits.start <= range.start && range.end <= self.limits.end;
        if aligned && inside && range.start < range.end { Ok(()) } else { Err(MemoryError::BadRange) }
    }
}

impl Drop for AddressSpace {
    fn drop(&mut self) {
        if contracts::config().rewrite {
            *self.state.lock().patcher = None;
        }
        // No thread is left that runs in it.
        contracts::translations::give_up(core::mem::replace(&mut self.handle, SpaceHandle::from_word(0)));
    }
}

/// Bytes kept free above the mappings for the main stack, its random shift included.
const STACK_ROOM: usize = 1 << 34;

fn random(bits: u32) -> usize {
    let mut bytes = [0; 8];
    contracts::entropy::fill(&mut bytes);
    usize::from_le_bytes(bytes) & ((1 << bits) - 1)
}
