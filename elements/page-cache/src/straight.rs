//! Large pieces of which no page is here, read past the pages: nothing is copied, and nothing is let go of for what a
//! program that goes through a large file does not look at again.

use super::{Contents, MOST_AHEAD, PAGE};
use vfs::Sink;

/// The least that is read so: reading ahead does not bring more at once either.
const LEAST: u64 = MOST_AHEAD * PAGE / 2;

impl Contents {
    /// Reads whole pages from `offset` on straight to where they are wanted; says how many bytes. 0 where that cannot
    /// be, also after an error, which the usual way will meet again.
    pub(super) fn read_straight(&self, offset: u64, sink: &mut dyn Sink) -> usize {
        // The memory is lent as long as nobody else can take it away.
        if sync::has_threads() {
            return 0;
        }
        let absent = |wanted: usize| if wanted as u64 >= LEAST { self.absent(offset, wanted) } else { 0 };
        let (wanted, mut total) = (absent(sink.room()), 0);
        if wanted > 0 {
            sink.lend(wanted, &mut |places| {
                // To lend memory may bring in pages, of this file too.
                if absent(wanted) == wanted {
                    total = self.backing.read(offset, places).unwrap_or(0);
                }
                total
            });
        }
        total
    }

    /// Bytes from `offset` on, whole pages and `wanted` at most, of which none is here; 0 if they are few.
    fn absent(&self, offset: u64, wanted: usize) -> usize {
        let state = self.state.lock();
        let number = offset / PAGE;
        let behind = (offset.saturating_add(wanted as u64)).min(state.length) / PAGE;
        let behind = state.table.next(number).map_or(behind, |next| next.min(behind));
        let bytes = behind.saturating_sub(number) * PAGE;
        if offset.is_multiple_of(PAGE) && bytes >= LEAST { bytes as usize } else { 0 }
    }
}
