//! Mappings that are to stay as they are (mseal(2)).

use machine::PageRange;
use regions::{Region, RegionKind};

use super::{AddressSpace, MemoryError, space::State};

impl State {
    /// Refuses to change what is sealed.
    #[inline(always)]
    pub(super) fn may_change(&self, range: &PageRange) -> Result<(), MemoryError> {
        if self.account.counts() { self.check_seals(range) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn check_seals(&self, range: &PageRange) -> Result<(), MemoryError> {
        if self.regions_in(range).any(|region| region.sealed) { Err(MemoryError::Sealed) } else { Ok(()) }
    }
}

impl AddressSpace {
    /// Keeps `range`, which must be mapped, from being unmapped, moved, replaced and protected otherwise.
    pub fn seal(&self, range: PageRange) -> Result<(), MemoryError> {
        self.check(&range)?;
        let mut state = self.state.lock();
        if !state.regions.covers(&range) {
            return Err(MemoryError::NotMapped);
        }
        state.may_split(&range)?;
        state.regions.change(&range, &mut |region| region.sealed = true);
        self.bind(&mut state);
        Ok(())
    }

    /// Whether contents of a sealed page in `range` could be thrown away that the program cannot write anew.
    #[must_use]
    pub fn keeps_contents(&self, range: &PageRange) -> bool {
        let is_private = |region: &Region| region.file.is_none() && region.kind != RegionKind::Shared;
        let is_kept = |region: &Region| region.sealed && is_private(region) && !region.protection.write;
        self.is_bound() && self.state.lock().regions_in(range).any(is_kept)
    }
}
