//! How many pages to bring in at once.

use crate::{FIRST_AHEAD, MOST_AHEAD};

/// How far to read ahead.
#[derive(Default)]
pub(super) struct Ahead {
    /// The page behind those brought in last.
    pub(super) next: u64,
    /// Pages brought in then.
    pub(super) window: u64,
}

impl Ahead {
    /// How many pages to bring in from `number` on, of which `wanted` are needed at once: twice as many each time while
    /// the file is read in order, else what is wanted.
    pub(super) fn plan(&self, number: u64, wanted: u64) -> u64 {
        let window = match number {
            0 => FIRST_AHEAD,
            _ if number == self.next => self.window * 2,
            _ => 1,
        };
        window.max(wanted).clamp(1, MOST_AHEAD)
    }
}
