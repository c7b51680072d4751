//! A few ranges of addresses, and quick answers about what lies outside of all.

use alloc::vec::Vec;
use core::ops::Range;

/// More ranges than these become one: code is seldom in so many pieces.
const MOST: usize = 16;

/// Ranges that were noted. None is ever forgotten: an answer may be `true` for what has gone.
#[derive(Clone, Debug)]
pub struct Extents {
    /// From the lowest start to the highest end, if there is one.
    hull: Option<Range<u64>>,
    list: Vec<Range<u64>>,
}

impl Extents {
    pub const fn new() -> Self {
        Self { hull: None, list: Vec::new() }
    }

    /// Has all of `extent` answer.
    pub fn note(&mut self, extent: &Range<u64>) {
        if self.list.iter().any(|known| known.start <= extent.start && extent.end <= known.end) {
            return;
        }
        self.hull = Some(self.hull.as_ref().map_or_else(|| extent.clone(), |hull| joined(hull, extent)));
        let is_full = self.list.len() >= MOST;
        match self.list.last_mut() {
            Some(last) if is_full => *last = joined(last, extent),
            _ => self.list.push(extent.clone()),
        }
    }

    /// Whether something of `range` was noted.
    #[inline]
    pub fn touch(&self, range: &Range<u64>) -> bool {
        let meets = |extent: &Range<u64>| extent.start < range.end && range.start < extent.end;
        self.hull.as_ref().is_some_and(meets) && self.list.iter().any(meets)
    }
}

fn joined(one: &Range<u64>, other: &Range<u64>) -> Range<u64> {
    one.start.min(other.start)..one.end.max(other.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_touches_and_nothing_beside_it() {
        let mut extents = Extents::new();
        assert!(!extents.touch(&(0..u64::MAX)));
        extents.note(&(0x1000..0x2000));
        extents.note(&(0x8000..0x9000));
        assert!(extents.touch(&(0x1fff..0x2000)) && extents.touch(&(0..0x1001)) && extents.touch(&(0x7000..0xa000)));
        assert!(!extents.touch(&(0x2000..0x8000)) && !extents.touch(&(0x9000..0x9001)) && !extents.touch(&(0..0x1000)));
    }

    #[test]
    fn many_are_still_all_there() {
        let mut extents = Extents::new();
        let ranges: Vec<_> = (1..100_u64).map(|number| number * 0x2000..number * 0x2000 + 0x1000).collect();
        ranges.iter().for_each(|range| extents.note(range));
        assert!(ranges.iter().all(|range| extents.touch(range)));
        assert!(extents.list.len() <= MOST && !extents.touch(&(0x3000..0x4000)));
    }
}
