//! Several zones as one allocator.

use core::ops::Range;

use sync::Mutex;

use crate::{Frames, FreeError, Statistics, Zone};

/// Stretches of RAM between what must not be given out.
const ZONES: usize = 12;

/// Up to twelve zones behind a lock, tried in the order they were added.
#[derive(Debug)]
pub struct Zones<Z> {
    zones: Mutex<[Option<Z>; ZONES]>,
}

impl<Z> Zones<Z> {
    /// No zones.
    #[must_use]
    pub const fn new() -> Self {
        Self { zones: Mutex::new([const { None }; ZONES]) }
    }
}

impl<Z> Default for Zones<Z> {
    fn default() -> Self {
        Self::new()
    }
}

impl<Z: Zone<'static>> Frames for Zones<Z> {
    fn book_words(&self, frames: Range<usize>) -> usize {
        Z::book_words(&frames)
    }

    fn add(&self, frames: Range<usize>, book: &'static mut [u64]) -> bool {
        let mut zones = self.zones.lock();
        let place = zones.iter_mut().find(|place| place.is_none());
        place.map(|place| *place = Some(Z::new(frames, book))).is_some()
    }

    #[inline]
    fn allocate(&self) -> Option<usize> {
        self.zones.lock().iter_mut().map_while(Option::as_mut).find_map(Z::allocate)
    }

    fn allocate_run(&self, count: usize, alignment: usize) -> Option<usize> {
        let mut zones = self.zones.lock();
        zones.iter_mut().map_while(Option::as_mut).find_map(|zone| zone.allocate_run(count, alignment))
    }

    fn free_run(&self, first: usize, count: usize) -> Result<(), FreeError> {
        let mut zones = self.zones.lock();
        let zone = zones.iter_mut().map_while(Option::as_mut).find(|zone| zone.frames().contains(&first));
        let zone = zone.ok_or(FreeError::Foreign(first))?;
        let end = zone.frames().end;
        if count > end - first {
            return Err(FreeError::Foreign(end));
        }
        zone.free_run(first, count)
    }

    fn statistics(&self) -> Statistics {
        let mut sum = Statistics::default();
        for zone in self.zones.lock().iter().flatten() {
            let one = zone.statistics();
            sum = Statistics { total: sum.total + one.total, free: sum.free + one.free };
        }
        sum
    }
}
