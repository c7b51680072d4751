//! A clock of a stated frequency.

use crate::instructions::time_stamp;

/// Provider of the contract `clock`: the time stamp counter, of which the image says how many million times a second
/// it counts. It needs nothing at boot, and reading it takes a handful of instructions.
///
/// The monotonic time is the counter's own age, so it begins where the machine's maker lets the counter begin. Nobody
/// tells it the date: the wall clock starts at 1970-01-01 00:00 UTC together with the counter.
#[derive(Debug, Default)]
pub struct Counter<const MEGAHERTZ: u64>;

impl<const MEGAHERTZ: u64> Counter<MEGAHERTZ> {
    /// Nanoseconds a tick, times 2^32, to the nearest.
    const SCALE: u64 = ((1000 << 32) + MEGAHERTZ / 2) / MEGAHERTZ;

    /// The instance.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(MEGAHERTZ > 0 && MEGAHERTZ <= 1_000_000, "between one and a million MHz") };
        Self
    }

    const fn nanoseconds(ticks: u64) -> u64 {
        ((ticks as u128 * Self::SCALE as u128) >> 32) as u64
    }
}

impl<const MEGAHERTZ: u64> machine::Clock for Counter<MEGAHERTZ> {
    #[inline(always)]
    fn monotonic(&self) -> u64 {
        Self::nanoseconds(time_stamp())
    }

    #[inline(always)]
    fn wall(&self) -> u64 {
        Self::nanoseconds(time_stamp())
    }
}

#[cfg(test)]
mod tests {
    use machine::Clock;

    use super::*;

    #[test]
    fn ticks_become_nanoseconds() {
        assert_eq!(Counter::<1000>::nanoseconds(12_345), 12_345);
        assert!(Counter::<2500>::nanoseconds(2_500_000_000).abs_diff(1_000_000_000) <= 1);
        assert_eq!(Counter::<1>::nanoseconds(7), 7_000);
        // A hundred years at 3 GHz, to a millionth.
        let century = 100 * 365 * 86_400;
        let found = Counter::<3000>::nanoseconds(century * 3_000_000_000);
        assert!(found.abs_diff(century * 1_000_000_000) < century * 1_000);
    }

    #[test]
    fn it_goes_forwards() {
        let clock = Counter::<1000>::new();
        let first = clock.monotonic();
        assert!(clock.monotonic() >= first && clock.wall() >= first);
    }
}
