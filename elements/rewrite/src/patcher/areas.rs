//! Addresses for stubs.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{Plan, Room, patcher::Code};

/// Most areas of an address space.
const MOST: usize = 64;

/// An area, and what of it is free.
#[derive(Clone, Debug)]
struct Area {
    range: Range<u64>,
    free: Vec<Range<u64>>,
}

/// The areas of an address space.
#[derive(Clone, Debug, Default)]
pub struct Areas {
    list: Vec<Area>,
}

impl Areas {
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    #[cfg(test)]
    pub const fn count(&self) -> usize {
        self.list.len()
    }

    /// The one that was taken last.
    pub fn newest(&self) -> Option<&Range<u64>> {
        self.list.last().map(|area| &area.range)
    }

    /// Takes `length` bytes where the plan's `jmp` may lead to.
    pub fn take(&mut self, code: &mut dyn Code, plan: &Plan, length: usize) -> Option<u64> {
        let place = |free: Range<u64>| plan.place(&Room { free, length });
        for area in &mut self.list {
            let found = area.free.iter().enumerate().find_map(|(index, free)| Some((index, place(free.clone())?)));
            if let Some((index, at)) = found {
                area.cut(index, at, length as u64);
                return Some(at);
            }
        }
        if self.list.len() >= MOST {
            return None;
        }
        let (range, at) = code.reserve(&place)?;
        let mut area = Area { free: [range.clone()].into(), range };
        area.cut(0, at, length as u64);
        self.list.push(area);
        Some(at)
    }

    /// Gives up the areas that touch `range`; `false` if there are none. A stub is in one area, so those outside of the
    /// range go on to be used.
    pub fn give_up(&mut self, range: &Range<u64>) -> bool {
        let before = self.list.len();
        self.list.retain(|area| area.range.end <= range.start || range.end <= area.range.start);
        self.list.len() < before
    }

    /// Gives bytes back that were taken.
    pub fn give_back(&mut self, at: u64, length: usize) {
        let range = at..at + length as u64;
        let Some(area) = self.list.iter_mut().find(|area| area.range.contains(&at)) else { return };
        let index = area.free.partition_point(|free| free.start < at);
        area.free.insert(index, range);
        area.free.dedup_by(|next, before| {
            let joins = before.end == next.start;
            if joins {
                before.end = next.end;
            }
            joins
        });
    }
}

impl Area {
    /// Takes bytes out of a free range.
    fn cut(&mut self, index: usize, at: u64, length: u64) {
        let Some(free) = self.free.get_mut(index) else { return };
        let behind = at + length..free.end;
        free.end = at;
        if !behind.is_empty() {
            self.free.insert(index + 1, behind);
        }
        self.free.retain(|free| !free.is_empty());
    }
}
