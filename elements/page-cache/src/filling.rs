//! What is on its way: nobody asks for it twice who can wait for it, and a change of the file meanwhile has it thrown
//! away.

use alloc::vec::Vec;
use core::ops::Range;

/// Pages on their way, a range for each who has asked the backing.
#[derive(Default)]
pub(super) struct Filling {
    ranges: Vec<OnTheirWay>,
    next: u64,
}

struct OnTheirWay {
    number: u64,
    pages: Range<u64>,
    /// The file has changed there since.
    outdated: bool,
}

impl Filling {
    /// These are asked for from now on; a number to say so by when they are here.
    pub(super) fn begin(&mut self, pages: Range<u64>) -> u64 {
        self.next += 1;
        self.ranges.push(OnTheirWay { number: self.next, pages, outdated: false });
        self.next
    }

    /// They are here; `false` if the file has changed there meanwhile.
    pub(super) fn end(&mut self, number: u64) -> bool {
        let index = self.ranges.iter().position(|range| range.number == number);
        index.is_some_and(|index| !self.ranges.swap_remove(index).outdated)
    }

    /// The file has changed in these pages.
    pub(super) fn outdate(&mut self, pages: Range<u64>) {
        let meets = |other: &Range<u64>| other.start < pages.end && pages.start < other.end;
        self.ranges.iter_mut().filter(|range| meets(&range.pages)).for_each(|range| range.outdated = true);
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.ranges.iter().any(|range| range.pages.contains(&number))
    }

    pub(super) fn next(&self, number: u64) -> Option<u64> {
        self.ranges.iter().map(|range| range.pages.start).filter(|&start| start > number).min()
    }
}
