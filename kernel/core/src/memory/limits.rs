//! What an address space is held to: limits of its size and of its data (getrlimit(2)), and what is counted for them
//! and for locked pages. Few programs ask for limits, locks or seals: until one does, nothing is counted.

use core::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use machine::{PageRange, Protection};
use regions::{Region, RegionKind};

use super::{AddressSpace, MapRequest, MemoryError, Placement, rewriting::is_stubs, space::State};

/// Bytes of an address space that are counted.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Whether they are.
    counts: bool,
    /// All that is mapped.
    all: usize,
    /// Private memory that may be written, stacks apart.
    pub(super) data: usize,
    /// What is locked.
    pub(super) locked: usize,
}

/// What holds for a whole address space.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Whether any of it does. Who asks takes no lock to find that it does not.
    any: AtomicBool,
    /// Bytes that may be mapped (RLIMIT_AS).
    all: AtomicUsize,
    /// Bytes of data that there may be (RLIMIT_DATA).
    data: AtomicUsize,
    /// Bytes that the break may be from its start.
    by_break: AtomicUsize,
    /// Whether new mappings are locked (MCL_FUTURE).
    pub(super) locks_new: AtomicBool,
    /// Whether their pages come at once (without MCL_ONFAULT).
    pub(super) brings_new: AtomicBool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            any: AtomicBool::new(false),
            all: AtomicUsize::new(usize::MAX),
            data: AtomicUsize::new(usize::MAX),
            by_break: AtomicUsize::new(usize::MAX),
            locks_new: AtomicBool::new(false),
            brings_new: AtomicBool::new(false),
        }
    }
}

impl Bounds {
    /// Those of a copy: limits are the same, but new mappings are not locked.
    pub(super) fn inherited(&self) -> Self {
        let limits = [&self.all, &self.data, &self.by_break];
        let [all, data, by_break] = limits.map(|bytes| AtomicUsize::new(bytes.load(Relaxed)));
        Self { any: AtomicBool::new(self.any.load(Relaxed)), all, data, by_break, ..Self::default() }
    }
}

/// Whether the image has any of this.
#[inline(always)]
pub(super) fn exists() -> bool {
    contracts::config::config().memory_limits
}

fn is_data(region: &Region, protection: Protection) -> bool {
    protection.write && !region.is_shared() && !region.grows_down
}

impl Account {
    /// Whether anything is counted, bound or sealed.
    #[inline(always)]
    pub(super) fn counts(&self) -> bool {
        exists() && self.counts
    }

    /// So many bytes of `region` are there now.
    #[cold]
    #[inline(never)]
    pub(super) fn add(&mut self, region: &Region, bytes: usize) {
        // Code that the kernel has put there is nobody's.
        self.all += if is_stubs(region) { 0 } else { bytes };
        self.data += if is_data(region, region.protection) { bytes } else { 0 };
        self.locked += if region.locked { bytes } else { 0 };
    }

    /// They are no longer.
    #[cold]
    #[inline(never)]
    pub(super) fn take(&mut self, region: &Region, bytes: usize) {
        self.all -= if is_stubs(region) { 0 } else { bytes };
        self.data -= if is_data(region, region.protection) { bytes } else { 0 };
        self.locked -= if region.locked { bytes } else { 0 };
    }
}

impl State {
    /// Counts from now on.
    pub(super) fn begin_count(&mut self) {
        let Self { regions, account, .. } = self;
        if !account.counts {
            account.counts = true;
            regions.iter().for_each(|region| account.add(region, region.length()));
        }
    }

    /// What was mapped in `range` just now is there, locked or not.
    #[cold]
    #[inline(never)]
    pub(super) fn add(&mut self, range: &PageRange, locked: bool) {
        let Self { regions, account, .. } = self;
        // It may have become one with its neighbours, which then are counted alike.
        if let Some(region) = regions.find(range.start) {
            account.add(region, range.len());
        }
        if locked {
            self.set_locked(range, true);
        }
    }

    /// The regions that have a part in `range`.
    pub(super) fn regions_in<'s>(&'s self, range: &PageRange) -> impl Iterator<Item = &'s Region> + use<'s> {
        let end = range.end;
        self.regions.from(range.start).take_while(move |region| region.start < end)
    }

    /// Bytes of `range` that lie in regions of which `wanted` is true.
    pub(super) fn bytes_in(&self, range: &PageRange, wanted: fn(&Region) -> bool) -> usize {
        let bytes = |region: &Region| region.end.min(range.end) - region.start.max(range.start);
        self.regions_in(range).filter(|region| wanted(region)).map(bytes).sum()
    }
}

impl AddressSpace {
    /// Sets how many bytes of data there may be (RLIMIT_DATA), and how many of them by brk(2).
    pub fn set_data_limit(&self, bytes: usize, by_break: usize) {
        let mut state = self.state.lock();
        self.bounds.data.store(bytes, Relaxed);
        self.bounds.by_break.store(by_break, Relaxed);
        if bytes.min(by_break) < usize::MAX {
            self.bind(&mut state);
        }
    }

    /// Sets how many bytes may be mapped (RLIMIT_AS).
    pub fn set_size_limit(&self, bytes: usize) {
        let mut state = self.state.lock();
        self.bounds.all.store(bytes, Relaxed);
        if bytes < usize::MAX {
            self.bind(&mut state);
        }
    }

    /// From now on there is something to be held to.
    pub(super) fn bind(&self, state: &mut State) {
        if exists() {
            state.begin_count();
            self.bounds.any.store(true, Release);
        }
    }

    /// Whether there is.
    #[inline]
    pub(super) fn is_bound(&self) -> bool {
        exists() && self.bounds.any.load(Acquire)
    }

    /// A new program takes over the limits, but neither seals nor locks, of a space that is empty now.
    pub(super) fn begin_anew(&self, state: &mut State) {
        state.account = Account { counts: state.account.counts, ..Account::default() };
        self.bounds.locks_new.store(false, Relaxed);
        self.bounds.brings_new.store(false, Relaxed);
    }

    /// Whether the break may be so far from its start.
    pub(super) fn may_break(&self, bytes: usize) -> bool {
        !exists() || bytes <= self.bounds.by_break.load(Relaxed)
    }

    /// Whether so many bytes more may be mapped, data or not.
    fn fits(&self, state: &State, is_data: bool, bytes: usize) -> bool {
        let within = |now: usize, limit: &AtomicUsize| now.saturating_add(bytes) <= limit.load(Relaxed);
        within(state.account.all, &self.bounds.all) && (!is_data || within(state.account.data, &self.bounds.data))
    }

    /// Refuses what would be too much with `bytes` more of `region`.
    #[cold]
    #[inline(never)]
    pub(super) fn may_have(&self, state: &State, region: &Region, bytes: usize) -> Result<(), MemoryError> {
        let fits = self.fits(state, is_data(region, region.protection), bytes);
        if fits { Ok(()) } else { Err(MemoryError::OutOfMemory) }
    }

    /// Refuses what is beyond the limits, counted without what it takes the place of.
    #[cold]
    #[inline(never)]
    pub(super) fn may_map(&self, state: &State, request: &MapRequest, length: usize) -> Result<(), MemoryError> {
        let shared = request.source.is_shared() || request.kind == RegionKind::Shared;
        let is_data = request.protection.write && !shared && !request.grows_down;
        let fits = |bytes| self.fits(state, is_data, bytes);
        if !fits(length) {
            let range = request.address..request.address.saturating_add(length);
            // As Linux, whatever it is that goes (`may_expand_vm`).
            if request.placement != Placement::Fixed || !fits(length - state.bytes_in(&range, |_| true)) {
                return Err(MemoryError::OutOfMemory);
            }
        }
        Ok(())
    }

    /// Counts the data when so many bytes of `region` have another protection; an error if that is too much.
    #[cold]
    #[inline(never)]
    pub(super) fn data_with(
        &self,
        state: &State,
        region: &Region,
        protection: Protection,
        bytes: usize,
    ) -> Result<usize, MemoryError> {
        let data = state.account.data;
        match (is_data(region, region.protection), is_data(region, protection)) {
            (true, false) => Ok(data - bytes),
            (false, true) => {
                let more = data.checked_add(bytes).filter(|&more| more <= self.bounds.data.load(Relaxed));
                more.ok_or(MemoryError::OutOfMemory)
            }
            _ => Ok(data),
        }
    }
}

#[cfg(test)]
mod tests {
    use machine::{Larger, Source};

    use super::*;

    fn region(protection: Protection, grows_down: bool, locked: bool) -> Region {
        Region {
            start: 0x1000,
            end: 0x4000,
            protection,
            source: Source::Zero,
            kind: RegionKind::Data,
            file: None,
            offset: 0,
            grows_down,
            larger: Larger::No,
            locked,
            sealed: false,
        }
    }

    const WRITE: Protection = Protection { read: true, write: true, execute: false };
    const READ: Protection = Protection { write: false, ..WRITE };

    #[test]
    fn data_is_private_memory_that_may_be_written_stacks_apart() {
        let counted = |region: &Region| {
            let mut account = Account::default();
            account.add(region, region.length());
            let counted = [account.data, account.locked];
            account.take(region, region.length());
            assert_eq!([account.data, account.locked], [0, 0], "what goes is counted as what came");
            counted
        };
        assert_eq!(counted(&region(WRITE, false, false)), [0x3000, 0]);
        assert_eq!(counted(&region(READ, false, true)), [0, 0x3000]);
        assert_eq!(counted(&region(WRITE, true, true)), [0, 0x3000]);
    }

    #[test]
    fn a_copy_has_the_limits_and_no_locks() {
        let bounds = Bounds::default();
        bounds.data.store(7, Relaxed);
        bounds.any.store(true, Relaxed);
        bounds.locks_new.store(true, Relaxed);
        bounds.brings_new.store(true, Relaxed);
        let copy = bounds.inherited();
        assert_eq!(
            (copy.data.load(Relaxed), copy.by_break.load(Relaxed), copy.any.load(Relaxed)),
            (7, usize::MAX, true)
        );
        assert!(!copy.locks_new.load(Relaxed) && !copy.brings_new.load(Relaxed));
    }
}
