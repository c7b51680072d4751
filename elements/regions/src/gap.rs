//! Finding room.

use core::ops::Range;

use crate::Regions;

impl Regions {
    /// The highest address at which `length` bytes (not 0) fit into `window` without touching a region, as Linux
    /// places mappings: from the top down. The gap below a region that grows down stays free.
    #[must_use]
    pub fn highest_gap(&self, length: usize, window: Range<usize>) -> Option<usize> {
        let mut ceiling = window.end;
        for region in self.list.iter().rev() {
            if region.start >= ceiling {
                continue;
            }
            if region.end <= window.start {
                break;
            }
            if ceiling.checked_sub(region.end).is_some_and(|room| room >= length) {
                return Some(ceiling - length);
            }
            ceiling = region.guarded_start();
        }
        let room = ceiling.checked_sub(window.start)?;
        (room >= length).then(|| ceiling - length)
    }
}
