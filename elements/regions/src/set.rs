//! The ordered set of an address space's regions.

use alloc::vec::Vec;
use core::cell::Cell;

use machine::{PageRange, Protection};

use crate::Region;

/// Regions in ascending order, none overlapping, neighbours that continue each other joined.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    pub(crate) list: Vec<Region>,
    /// Where the last search ended. The next one often ends there too.
    recent: Cell<usize>,
}

impl Regions {
    /// No regions.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: Vec::new(), recent: Cell::new(0) }
    }

    /// No regions, with room for some.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count), recent: Cell::new(0) }
    }

    /// All regions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Region> {
        self.list.iter()
    }

    /// How many regions there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.list.len()
    }

    /// The region that holds `address`.
    #[must_use]
    pub fn find(&self, address: usize) -> Option<&Region> {
        self.first_behind(address).filter(|region| region.start <= address)
    }

    /// Whether any part of `range` belongs to a region.
    #[must_use]
    pub fn overlaps(&self, range: &PageRange) -> bool {
        self.first_behind(range.start).is_some_and(|region| region.start < range.end)
    }

    /// The last region that ends at or below `address`.
    #[must_use]
    pub fn last_below(&self, address: usize) -> Option<&Region> {
        self.first_ending_after(address).checked_sub(1).and_then(|index| self.list.get(index))
    }

    /// Whether `range` is free, the gap below a region that grows down included.
    #[must_use]
    pub fn is_free(&self, range: &PageRange) -> bool {
        self.first_behind(range.start).is_none_or(|region| region.guarded_start() >= range.end)
    }

    /// Whether every page of `range` belongs to a region.
    #[must_use]
    pub fn covers(&self, range: &PageRange) -> bool {
        let mut covered = range.start;
        while covered < range.end {
            let Some(region) = self.find(covered) else { return false };
            covered = region.end;
        }
        true
    }

    /// The first region that ends behind `address`.
    #[must_use]
    pub fn first_behind(&self, address: usize) -> Option<&Region> {
        self.list.get(self.first_ending_after(address))
    }

    /// The regions that end behind `address`, ascending.
    pub fn from(&self, address: usize) -> impl Iterator<Item = &Region> {
        self.list[self.first_ending_after(address)..].iter()
    }

    /// Adds a region, which overlaps none and is not empty; `false`, and nothing done, if it is or does.
    pub fn insert(&mut self, region: Region) -> bool {
        let index = self.first_ending_after(region.start);
        let overlaps = self.list.get(index).is_some_and(|behind| behind.start < region.end);
        if region.start >= region.end || overlaps {
            return false;
        }
        // Most new regions continue a neighbour, which then grows in place.
        if let Some(before) = index.checked_sub(1).and_then(|index| self.list.get_mut(index))
            && before.continues_in(&region)
        {
            before.end = region.end;
            self.join(index);
        } else if let Some(behind) = self.list.get_mut(index)
            && region.continues_in(behind)
        {
            (behind.start, behind.source, behind.offset) = (region.start, region.source, region.offset);
        } else {
            self.list.insert(index, region);
        }
        true
    }

    /// Takes `range` out, splitting regions at its borders; shows what goes.
    pub fn remove(&mut self, range: &PageRange, taken: &mut dyn FnMut(PageRange)) {
        let index = self.first_ending_after(range.start);
        if let Some(region) = self.list.get_mut(index)
            && region.start <= range.start
            && range.end <= region.end
            && (region.start == range.start || region.end == range.end)
        {
            taken(range.clone());
            match (region.start == range.start, region.end == range.end) {
                (true, true) => _ = self.list.remove(index),
                (true, false) => region.begin_at(range.end),
                _ => region.end = range.start,
            }
            return;
        }
        let (first, last) = self.isolate(range);
        for region in self.list.drain(first..last) {
            taken(region.range());
        }
    }

    /// Sets the protection of all pages of regions inside `range`.
    pub fn protect(&mut self, range: &PageRange, protection: Protection) {
        self.change(range, &mut |region| region.protection = protection);
    }

    /// Changes the parts of regions inside `range`, but not their addresses.
    pub fn change(&mut self, range: &PageRange, change: &mut dyn FnMut(&mut Region)) {
        let (first, last) = self.isolate(range);
        self.list[first..last].iter_mut().for_each(change);
        for index in (first..=last).rev() {
            self.join(index);
        }
    }

    /// Index of the first region that ends behind `address`.
    #[inline(never)]
    fn first_ending_after(&self, address: usize) -> usize {
        let recent = self.recent.get();
        let ends_after = self.list.get(recent).is_some_and(|region| region.end > address);
        if ends_after && (recent == 0 || self.list[recent - 1].end <= address) {
            return recent;
        }
        let found = self.list.partition_point(|region| region.end <= address);
        self.recent.set(found);
        found
    }

    /// Splits regions at the borders of `range`; returns the indices of those now inside.
    fn isolate(&mut self, range: &PageRange) -> (usize, usize) {
        if range.start >= range.end {
            return (0, 0);
        }
        self.split(range.start);
        self.split(range.end);
        (self.first_ending_after(range.start), self.first_ending_after(range.end))
    }

    #[inline]
    fn split(&mut self, address: usize) {
        let index = self.first_ending_after(address);
        let Some(region) = self.list.get_mut(index) else { return };
        if region.start < address {
            let upper = region.cut(&(address..region.end));
            region.end = address;
            self.list.insert(index + 1, upper);
        }
    }

    /// Joins the region at `index` to the one before it, if it continues that one.
    fn join(&mut self, index: usize) {
        if index == 0 || index >= self.list.len() {
            return;
        }
        if let [before, region] = &mut self.list[index - 1..=index]
            && before.continues_in(region)
        {
            before.end = region.end;
            self.list.remove(index);
        }
    }
}
