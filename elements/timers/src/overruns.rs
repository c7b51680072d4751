//! What the signals of a timer missed (timer_getoverrun(2)): a timer has one signal that waits at most, and the rings
//! that find it waiting are counted.

/// Most that a timer says it missed (DELAYTIMER_MAX).
const MOST: u64 = i32::MAX as u64;

/// A timer's signal, and its count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overruns {
    /// Its signal waits.
    is_pending: bool,
    /// Rings that found the signal waiting.
    missed: u64,
    /// The same for the signal that was taken last.
    last: u32,
}

impl Overruns {
    /// It has rung `count` times, once at least: whether its signal is to be sent. It counts as waiting then.
    #[must_use]
    pub const fn ring(&mut self, count: u64) -> bool {
        let sends = !self.is_pending;
        self.missed = self.missed.saturating_add(if sends { count.saturating_sub(1) } else { count });
        self.is_pending = true;
        sends
    }

    /// The signal that was to be sent is ignored: what was told last stays, and the next one that is taken has missed
    /// this one too.
    pub const fn ignored(&mut self) {
        self.is_pending = false;
        self.missed = self.missed.saturating_add(1);
    }

    /// The signal is taken, and the timer may ring from now on; what it missed until then.
    #[must_use]
    pub const fn take(&mut self) -> u64 {
        self.is_pending = false;
        core::mem::replace(&mut self.missed, 0)
    }

    /// The signal that was taken missed so many in all; what is told of it.
    pub const fn tell(&mut self, missed: u64) -> u32 {
        self.last = if missed < MOST { missed as u32 } else { MOST as u32 };
        self.last
    }

    /// What the signal that was taken last missed.
    #[must_use]
    pub const fn last(&self) -> u32 {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(overruns: &mut Overruns, meanwhile: u64) -> u32 {
        let missed = overruns.take();
        overruns.tell(missed + meanwhile)
    }

    #[test]
    fn one_signal_waits_and_the_rest_is_missed() {
        let mut overruns = Overruns::default();
        assert_eq!((overruns.ring(1), taken(&mut overruns, 0), overruns.last()), (true, 0, 0));
        // Three at once: one is the signal. Then two that find it waiting, and one until the timer goes on.
        assert!(overruns.ring(3) && !overruns.ring(1) && !overruns.ring(1));
        assert_eq!((overruns.last(), taken(&mut overruns, 1), overruns.last()), (0, 5, 5));
        // The next one has missed nothing.
        assert_eq!((overruns.ring(1), taken(&mut overruns, 0)), (true, 0));
    }

    #[test]
    fn it_may_ring_as_soon_as_the_signal_is_taken() {
        let mut overruns = Overruns::default();
        assert!(overruns.ring(1));
        let missed = overruns.take();
        // On another processor, before what was missed is told: a signal of its own, whose misses are its own.
        assert!(overruns.ring(4));
        assert_eq!((overruns.tell(missed), taken(&mut overruns, 0)), (0, 3));
    }

    #[test]
    fn what_is_ignored_is_missed_by_the_next_one() {
        let mut overruns = Overruns::default();
        assert!(overruns.ring(1) && taken(&mut overruns, 7) == 7);
        for _ in 0..3 {
            assert!(overruns.ring(1), "nothing waits");
            overruns.ignored();
        }
        assert_eq!(overruns.last(), 7);
        assert_eq!((overruns.ring(1), taken(&mut overruns, 0)), (true, 3));
    }

    #[test]
    fn more_than_can_be_told_is_the_most() {
        let mut overruns = Overruns::default();
        assert!(overruns.ring(u64::MAX) && !overruns.ring(u64::MAX));
        assert_eq!(taken(&mut overruns, 0), i32::MAX as u32);
        assert_eq!(
            [MOST - 1, MOST, MOST + 1].map(|missed| overruns.tell(missed)),
            [0x7fff_fffe, 0x7fff_ffff, 0x7fff_ffff]
        );
    }
}
