//! The ordered set of an address space's regions.

mod chunks;
mod gaps;
mod shown;

use alloc::vec::Vec;
use core::{cell::Cell, marker::PhantomData};

use machine::{PageRange, Protection};

use crate::{
    Region,
    chunk::{Chunk, Place},
    widest::Widest,
};
use shown::Shown;

/// How regions are kept: a parameter of [`Regions`], for where few bytes count more than many regions.
pub trait Keep {
    /// Whether there may be tens of thousands. Else they are in one list, whose changes move all that are behind.
    fn many() -> bool;
}

/// For as many as there are.
#[derive(Clone, Copy, Debug)]
pub struct Many;

impl Keep for Many {
    fn many() -> bool {
        true
    }
}

/// Regions in ascending order, none overlapping, neighbours that continue each other joined.
///
/// They lie in chunks of at most [`crate::chunk::MOST`], so that a change moves few of them: a program may have tens of
/// thousands. Most have one chunk.
#[derive(Clone, Debug)]
pub struct Regions<K = Many> {
    /// The lowest chunk; only where it is alone it may be empty.
    pub(crate) first: Chunk,
    /// Those behind it.
    pub(crate) more: Vec<Chunk>,
    /// What is known of the chunks' gaps.
    pub(crate) widest: Widest,
    /// Where each file is shown, while there is more than one chunk.
    pub(crate) shown: Shown,
    count: usize,
    /// Where the last search ended. The next one often ends there too.
    recent: Cell<Place>,
    /// Regions looked at or moved, and steps in trees.
    #[cfg(test)]
    pub(crate) steps: Cell<usize>,
    kept: PhantomData<fn() -> K>,
}

impl<K: Keep> Regions<K> {
    /// No regions, with room for some.
    #[must_use]
    pub fn with_capacity(count: usize) -> Self {
        Self {
            first: Chunk::with_capacity(count),
            more: Vec::new(),
            widest: Widest::default(),
            shown: Shown::new(),
            count: 0,
            recent: Cell::default(),
            #[cfg(test)]
            steps: Cell::new(0),
            kept: PhantomData,
        }
    }

    /// All regions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = &Region> {
        core::iter::once(&self.first).chain(&self.more).flat_map(|chunk| &chunk.list)
    }

    /// How many regions there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
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
        self.before(self.first_ending_after(address)).and_then(|place| self.get(place))
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
        self.get(self.first_ending_after(address))
    }

    /// The regions that end behind `address`, ascending.
    pub fn from(&self, address: usize) -> impl Iterator<Item = &Region> {
        let place = self.first_ending_after(address);
        core::iter::once(self.chunk(place.chunk))
            .chain(&self.more[place.chunk..])
            .flat_map(|chunk| &chunk.list)
            .skip(place.index)
    }

    /// Adds a region, which overlaps none and is not empty; `false`, and nothing done, if it is or does.
    pub fn insert(&mut self, region: Region) -> bool {
        let place = self.first_ending_after(region.start);
        let overlaps = self.get(place).is_some_and(|behind| behind.start < region.end);
        if region.start >= region.end || overlaps {
            return false;
        }
        // Most new regions continue a neighbour, which then grows in place.
        if let Some(at) = self.before(place)
            && self.at(at).continues_in(&region)
        {
            self.at_mut(at).end = region.end;
            self.forget_gaps(at.chunk);
            self.join(place);
        } else if let Some(behind) = self.get(place)
            && region.continues_in(behind)
        {
            self.with_start(place, |behind| {
                (behind.start, behind.source, behind.offset) = (region.start, region.source, region.offset);
            });
        } else {
            self.put(place, region);
        }
        true
    }

    /// Takes `range` out, splitting regions at its borders. Shows each region that loses a part, and that part's
    /// addresses.
    pub fn remove(&mut self, range: &PageRange, taken: &mut dyn FnMut(&Region, PageRange)) {
        let place = self.first_ending_after(range.start);
        let Some(region) = self.get_mut(place).filter(|region| region.start < range.end) else { return };
        if region.start <= range.start
            && range.end <= region.end
            && (region.start == range.start || region.end == range.end)
        {
            taken(region, range.clone());
            match (region.start == range.start, region.end == range.end) {
                (true, true) => self.take(place),
                (true, false) => self.with_start(place, |region| region.begin_at(range.end)),
                _ => {
                    region.end = range.start;
                    self.forget_gaps(place.chunk);
                }
            }
            return;
        }
        self.isolate(range);
        while let Some(region) = self.first_behind(range.start).filter(|region| region.start < range.end) {
            taken(region, region.range());
            self.take(self.first_ending_after(range.start));
        }
    }

    /// Changes where the region at `place` begins.
    #[inline]
    fn with_start(&mut self, place: Place, change: impl FnOnce(&mut Region)) {
        if self.keeps_shown() {
            self.forget_shown(place);
        }
        change(self.at_mut(place));
        if self.keeps_shown() {
            self.note_shown(place);
        }
        self.forget_gaps(place.chunk);
    }

    /// Sets the protection of all pages of regions inside `range`.
    pub fn protect(&mut self, range: &PageRange, protection: Protection) {
        self.change(range, &mut |region| region.protection = protection);
    }

    /// Changes the parts of regions inside `range`, but not their addresses.
    pub fn change(&mut self, range: &PageRange, change: &mut dyn FnMut(&mut Region)) {
        if K::many() && self.more.is_empty() && self.change_whole(range, change) {
            return;
        }
        self.isolate(range);
        let mut at = range.start;
        while at < range.end {
            let place = self.first_ending_after(at);
            let Some(region) = self.get_mut(place).filter(|region| region.start < range.end) else { break };
            change(region);
            at = region.end;
            self.join(place);
        }
        self.join(self.first_ending_after(range.end));
    }

    /// Changes the only chunk's region that is all of `range`, as most are that change; `false` if there is none.
    #[inline]
    fn change_whole(&mut self, range: &PageRange, change: &mut dyn FnMut(&mut Region)) -> bool {
        let place = self.first_ending_after(range.start);
        let Some(region) = self.first.list.get_mut(place.index).filter(|region| region.range() == *range) else {
            return false;
        };
        change(region);
        self.join(Place { index: place.index + 1, ..place });
        self.join(place);
        true
    }

    /// Where the first region is that ends behind `address`.
    #[inline(never)]
    pub(crate) fn first_ending_after(&self, address: usize) -> Place {
        if K::many() && !self.more.is_empty() {
            return self.first_of_many(address);
        }
        let list = &self.first.list;
        let recent = self.recent.get();
        let mut found = Place { chunk: 0, ..recent };
        match list.get(recent.index) {
            Some(region) if region.end > address => {
                let Some((_, lower)) = list[..recent.index].split_last().filter(|(before, _)| before.end > address)
                else {
                    return found;
                };
                // Who has looked at a border looks at the region below it again.
                let is_before = K::many() && lower.last().is_none_or(|region| region.end <= address);
                found.index = if is_before {
                    lower.len()
                } else {
                    list[..recent.index].partition_point(|region| region.end <= address)
                };
            }
            // Often it is the next one.
            Some(_) if list.get(recent.index + 1).is_none_or(|next| next.end > address) => found.index += 1,
            _ => found.index = list.partition_point(|region| region.end <= address),
        }
        self.recent.set(found);
        found
    }

    /// The same with several chunks.
    #[cold]
    #[inline(never)]
    fn first_of_many(&self, address: usize) -> Place {
        let recent = self.recent.get();
        if self.get(recent).is_some_and(|region| region.end > address)
            && self.before(recent).is_none_or(|before| self.at(before).end <= address)
        {
            return recent;
        }
        let ends = |chunk: &Chunk| chunk.list.last().is_some_and(|region| region.end <= address);
        let last = self.more.len() - 1;
        let number = if ends(&self.first) { 1 + self.more[..last].partition_point(ends) } else { 0 };
        let index = self.chunk(number).list.partition_point(|region| region.end <= address);
        let found = Place { chunk: number, index };
        self.count_steps(2 + self.count.max(1).ilog2() as usize);
        self.recent.set(found);
        found
    }

    /// Splits regions at the borders of `range`.
    fn isolate(&mut self, range: &PageRange) {
        if range.start < range.end {
            self.split(range.start);
            self.split(range.end);
        }
    }

    #[inline]
    fn split(&mut self, address: usize) {
        let place = self.first_ending_after(address);
        let Some(region) = self.get_mut(place) else { return };
        if region.start < address {
            let upper = region.cut(&(address..region.end));
            region.end = address;
            self.put(Place { index: place.index + 1, ..place }, upper);
        }
    }

    /// Joins the region at `place` to the one before it, if it continues that one.
    fn join(&mut self, place: Place) {
        let Some(before) = self.before(place) else { return };
        if let Some(region) = self.get(place)
            && self.at(before).continues_in(region)
        {
            self.at_mut(before).end = region.end;
            self.take(place);
        }
    }

    pub(crate) fn increase(&mut self) {
        self.count += 1;
    }

    pub(crate) fn decrease(&mut self) {
        self.count -= 1;
    }

    /// For tests: what an operation costs.
    #[inline(always)]
    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "only tests count"))]
    pub(crate) fn count_steps(&self, steps: usize) {
        #[cfg(test)]
        self.steps.set(self.steps.get() + steps);
        let _ = steps;
    }
}
