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
        let region = self.list.get(self.first_ending_after(address))?;
        (region.start <= address).then_some(region)
    }

    /// Whether any part of `range` belongs to a region.
    #[must_use]
    pub fn overlaps(&self, range: &PageRange) -> bool {
        self.list.get(self.first_ending_after(range.start)).is_some_and(|region| region.start < range.end)
    }

    /// Whether every page of `range` belongs to a region.
    #[must_use]
    pub fn covers(&self, range: &PageRange) -> bool {
        let mut covered = range.start;
        for region in &self.list[self.first_ending_after(range.start)..] {
            if covered >= range.end || region.start > covered {
                break;
            }
            covered = region.end;
        }
        covered >= range.end
    }

    /// The parts of regions that lie inside `range`, ascending.
    pub fn pieces<'a>(&'a self, range: &'a PageRange) -> impl Iterator<Item = Region> + 'a {
        self.list[self.first_ending_after(range.start)..]
            .iter()
            .take_while(|region| region.start < range.end)
            .map(|region| region.cut(range))
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

    /// Takes `range` out, splitting regions at its borders; returns what was taken out.
    pub fn remove(&mut self, range: &PageRange) -> Vec<Region> {
        let (first, last) = self.isolate(range);
        self.list.drain(first..last).collect()
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
        let first = self.first_ending_after(range.start);
        let last = self.list.partition_point(|region| region.start < range.end);
        (first, last.max(first))
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
        if self.list[index - 1].continues_in(&self.list[index]) {
            self.list[index - 1].end = self.list[index].end;
            self.list.remove(index);
        }
    }
}
