//! Pages that are locked (mlock(2)). None ever leaves memory; but locked ones are counted, and not thrown away.

use core::sync::atomic::Ordering::Relaxed;

use machine::PageRange;
use regions::RegionKind;

use super::{AddressSpace, MemoryError, limits::exists, space::State};

impl State {
    /// Locks the pages of `range` or lets them go.
    pub(super) fn set_locked(&mut self, range: &PageRange, locked: bool) {
        let Self { regions, account, .. } = self;
        regions.change(range, &mut |region| {
            let length = region.length();
            account.take(region, length);
            region.locked = locked && region.kind != RegionKind::Platform;
            account.add(region, length);
        });
    }
}

impl AddressSpace {
    /// Bytes that are locked.
    #[must_use]
    pub fn locked(&self) -> usize {
        self.state.lock().account.locked
    }

    /// Whether new mappings are locked.
    #[must_use]
    #[inline]
    pub fn locks_new(&self) -> bool {
        exists() && self.bounds.locks_new.load(Relaxed)
    }

    /// Whether the pages of new mappings come at once.
    #[must_use]
    pub fn brings_new(&self) -> bool {
        exists() && self.bounds.brings_new.load(Relaxed)
    }

    /// Locks the pages of `range`, which are mapped, as long as no more than `most` bytes are locked then.
    pub fn lock(&self, range: PageRange, most: usize) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock();
        state.may_split(&range)?;
        let new = state.bytes_in(&range, |region| !region.locked);
        if state.account.locked.saturating_add(new) > most {
            return Err(MemoryError::OutOfMemory);
        }
        self.bind(&mut state);
        state.set_locked(&range, true);
        Ok(())
    }

    /// Lets the pages of `range` go.
    pub fn unlock(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        if !self.is_bound() {
            return Ok(());
        }
        let mut state = self.state.lock();
        state.may_split(&range)?;
        state.set_locked(&range, false);
        Ok(())
    }

    /// Says whether new mappings are locked, and whether their pages come at once; locks all that there are with
    /// `present`.
    pub fn lock_all(&self, present: bool, new: bool, brings_new: bool) {
        let mut state = self.state.lock();
        self.bind(&mut state);
        self.bounds.locks_new.store(new, Relaxed);
        self.bounds.brings_new.store(brings_new, Relaxed);
        if present {
            state.set_locked(&self.limits, true);
        }
    }

    /// Lets all pages go, those of new mappings too.
    pub fn unlock_all(&self) {
        if !self.is_bound() {
            return;
        }
        let mut state = self.state.lock();
        self.bounds.locks_new.store(false, Relaxed);
        self.bounds.brings_new.store(false, Relaxed);
        state.set_locked(&self.limits, false);
    }

    /// Whether a page of `range` is locked.
    #[must_use]
    pub fn is_locked(&self, range: &PageRange) -> bool {
        self.is_bound() && self.state.lock().regions_in(range).any(|region| region.locked)
    }
}
