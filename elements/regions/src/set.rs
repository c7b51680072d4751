//! The ordered set of an address space's regions.

use alloc::vec::Vec;

use machine::{PageRange, Protection};

use crate::Region;

/// Regions in ascending order, none overlapping, neighbours that continue each other joined.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    pub(crate) list: Vec<Region>,
}

impl Regions {
    /// No regions.
    #[must_use]
    pub const fn new() -> Self {
        Self { list: Vec::new() }
    }

    /// All regions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Region> {
        self.list.iter()
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

    /// Adds a region, which overlaps none and is not empty; `false`, and nothing done, if it is or does.
    pub fn insert(&mut self, region: Region) -> bool {
        if region.start >= region.end || self.overlaps(&region.range()) {
            return false;
        }
        let index = self.first_ending_after(region.start);
        self.list.insert(index, region);
        self.join(index + 1);
        self.join(index);
        true
    }

    /// Takes `range` out, splitting regions at its borders; shows what goes.
    pub fn remove(&mut self, range: &PageRange, taken: &mut dyn FnMut(PageRange)) {
        let (first, last) = self.isolate(range);
        for region in self.list.drain(first..last) {
            taken(region.range());
        }
    }

    /// Sets the protection of all pages of regions inside `range`.
    pub fn protect(&mut self, range: &PageRange, protection: Protection) {
        let (first, last) = self.isolate(range);
        for region in &mut self.list[first..last] {
            region.protection = protection;
        }
        for index in (first..=last).rev() {
            self.join(index);
        }
    }

    /// Index of the first region that ends behind `address`.
    #[inline(never)]
    fn first_ending_after(&self, address: usize) -> usize {
        self.list.partition_point(|region| region.end <= address)
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
