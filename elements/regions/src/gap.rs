//! Finding room.

use core::{ops::Range, result::Result};

use crate::{Keep, Regions, chunk::Place};

/// Why a chunk was left without room.
enum Left {
    /// There is none further down either.
    End,
    /// Its gaps are at most so wide.
    Widest(usize),
}

impl<K: Keep> Regions<K> {
    /// The highest address at which `length` bytes (not 0) fit into `window` without touching a region, as Linux
    /// places mappings: from the top down. The gap below a region that grows down stays free.
    #[must_use]
    pub fn highest_gap(&self, length: usize, window: Range<usize>) -> Option<usize> {
        let place = self.first_ending_after(window.end);
        let ceiling = self.get(place).map_or(window.end, |region| region.guarded_start().min(window.end));
        let mut found = self.gap_in_chunk(place, ceiling, length, &window);
        let mut chunk = place.chunk;
        while K::many()
            && let Err(Left::Widest(_)) = found
        {
            let (below, steps) = self.widest.last_before(chunk, length);
            self.count_steps(steps);
            chunk = below?;
            let list = &self.chunk(chunk).list;
            let last = Place { chunk, index: list.len() - 1 };
            found = self.gap_in_chunk(last, list.last()?.guarded_start(), length, &window);
            if let Err(Left::Widest(widest)) = found {
                self.count_steps(self.widest.set(chunk, widest));
            }
        }
        found.ok()
    }

    /// Looks below `ceiling` and then below each region of the chunk before `place`.
    fn gap_in_chunk(
        &self,
        place: Place,
        mut ceiling: usize,
        length: usize,
        window: &Range<usize>,
    ) -> Result<usize, Left> {
        let mut widest = 0;
        let mut look = |ceiling: usize, end: usize| {
            self.count_steps(1);
            let room = ceiling.saturating_sub(end.max(window.start));
            widest = widest.max(room);
            if room >= length {
                Some(Ok(ceiling - length))
            } else if end <= window.start {
                Some(Err(Left::End))
            } else {
                None
            }
        };
        for region in self.chunk(place.chunk).list[..place.index].iter().rev() {
            if let Some(found) = look(ceiling, region.end) {
                return found;
            }
            ceiling = region.guarded_start();
        }
        let before = self.before(Place { index: 0, ..place });
        let end = before.map_or(0, |before| self.at(before).end);
        look(ceiling, end).unwrap_or(Err(Left::Widest(widest)))
    }
}
