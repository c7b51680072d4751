//! Several zones as one allocator.

use crate::{Frames, FreeError, Statistics, Zone};

/// Up to `N` zones, tried in the order they were added.
#[derive(Debug)]
pub struct Zones<'a, const N: usize> {
    zones: [Option<Zone<'a>>; N],
}

impl<'a, const N: usize> Zones<'a, N> {
    /// No zones.
    #[must_use]
    pub const fn new() -> Self {
        Self { zones: [const { None }; N] }
    }

    /// Adds a zone; gives it back if there are `N` already.
    pub fn add(&mut self, zone: Zone<'a>) -> Result<(), Zone<'a>> {
        match self.zones.iter_mut().find(|place| place.is_none()) {
            Some(place) => {
                *place = Some(zone);
                Ok(())
            }
            None => Err(zone),
        }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Zone<'a>> {
        self.zones.iter_mut().map_while(Option::as_mut)
    }
}

impl<const N: usize> Default for Zones<'_, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Frames for Zones<'_, N> {
    fn allocate(&mut self) -> Option<usize> {
        self.each().find_map(Frames::allocate)
    }

    fn allocate_run(&mut self, count: usize) -> Option<usize> {
        self.each().find_map(|zone| zone.allocate_run(count))
    }

    fn free(&mut self, frame: usize) -> Result<(), FreeError> {
        let zone = self.each().find(|zone| zone.contains(frame)).ok_or(FreeError::Foreign(frame))?;
        zone.free(frame)
    }

    fn statistics(&self) -> Statistics {
        let mut sum = Statistics::default();
        for zone in self.zones.iter().flatten() {
            let one = zone.statistics();
            sum = Statistics { total: sum.total + one.total, free: sum.free + one.free };
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_follow_one_another() {
        let (mut first, mut second) = ([0; 1], [0; 1]);
        let mut zones = Zones::<2>::new();
        zones.add(Zone::new(100..102, &mut first)).unwrap();
        zones.add(Zone::new(7..10, &mut second)).unwrap();
        assert!(zones.add(Zone::new(0..0, &mut [])).is_err());
        assert_eq!(zones.statistics(), Statistics { total: 5, free: 5 });
        assert_eq!(zones.allocate_run(3), Some(7));
        assert_eq!((zones.allocate(), zones.allocate(), zones.allocate()), (Some(100), Some(101), None));
        assert_eq!(zones.free(50), Err(FreeError::Foreign(50)));
        zones.free_run(7, 3).unwrap();
        assert_eq!(zones.free_run(7, 1), Err(FreeError::NotInUse(7)));
        assert_eq!(zones.statistics(), Statistics { total: 5, free: 3 });
    }
}
