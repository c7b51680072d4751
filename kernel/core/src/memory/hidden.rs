//! Pages of files that are shown and could be had again: where each takes something of which there is little.

use core::sync::atomic::Ordering::Relaxed;

use machine::{MemoryRefused, Source};

use super::{AddressSpace, space::State};

impl AddressSpace {
    /// Does `work`, once more if it wanted something that hiding files' pages gives back.
    #[inline(always)]
    pub(super) fn insist<R>(
        &self,
        state: &State,
        work: impl Fn() -> Result<R, MemoryRefused>,
    ) -> Result<R, MemoryRefused> {
        match work() {
            Err(MemoryRefused::OutOfMemory) if contracts::translations::shows_apart() && self.hide(state) => work(),
            result => result,
        }
    }

    /// Notes that a page of a file was shown.
    #[inline(always)]
    pub(super) fn note_shown(&self) {
        if contracts::translations::shows_apart() {
            self.shown.store(true, Relaxed);
        }
    }

    /// Takes all pages of files away that nobody has copied; `false` if none was shown since the last time.
    #[cold]
    #[inline(never)]
    fn hide(&self, state: &State) -> bool {
        if !self.shown.swap(false, Relaxed) {
            return false;
        }
        for region in state.regions.iter() {
            if let Source::File { shared } = region.source {
                contracts::translations::hide(&self.handle, region.range(), shared);
            }
        }
        true
    }
}
