//! Timers that ring once or again and again (setitimer(2), timer_settime(2), timerfd_settime(2)): when they ring next,
//! how often they have rung, and what is left.

/// When a timer rings, in nanoseconds of its clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// The next time; 0 if it is off.
    next: u64,
    /// From one time to the next; 0 for a single time.
    interval: u64,
}

impl Interval {
    /// Rings at `first` (from `now` on, if that is given) and then every `interval`; 0 for never.
    #[must_use]
    pub const fn new(first: u64, now: Option<u64>, interval: u64) -> Self {
        let next = match now {
            Some(now) if first != 0 => now.saturating_add(first),
            _ => first,
        };
        Self { next, interval }
    }

    /// The next time, unless it is off.
    #[must_use]
    pub const fn next(&self) -> Option<u64> {
        if self.next == 0 { None } else { Some(self.next) }
    }

    /// How often it rang by `now`, and is not to be told again.
    pub const fn take_rung(&mut self, now: u64) -> u64 {
        if self.next == 0 || now < self.next {
            return 0;
        }
        if self.interval == 0 {
            self.next = 0;
            return 1;
        }
        let count = (now - self.next) / self.interval + 1;
        self.next = self.next.saturating_add(self.interval.saturating_mul(count));
        count
    }

    /// Nanoseconds left (0: it is off) and from one time to the next.
    #[must_use]
    pub const fn left(&self, now: u64) -> (u64, u64) {
        let left = match self.next {
            0 => 0,
            next if next > now => next - now,
            // It is due, but nobody has been told: something is left, however little.
            _ if self.interval == 0 => 1,
            next => self.interval - (now - next) % self.interval,
        };
        (left, self.interval)
    }

    /// How long it stands still after a ring, for a `respite` of who was interrupted: all of it if the interval is
    /// shorter, else nothing.
    #[must_use]
    pub const fn pause(&self, respite: u64) -> u64 {
        if self.interval != 0 && self.interval < respite { respite } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_time_rings_once() {
        let mut timer = Interval::new(100, Some(1000), 0);
        assert_eq!((timer.next(), timer.left(1040), timer.take_rung(1099)), (Some(1100), (60, 0), 0));
        // Due, and not told yet: timer_gettime(2) must not say that it is off.
        assert_eq!(timer.left(1100), (1, 0));
        assert_eq!((timer.take_rung(5000), timer.take_rung(9000)), (1, 0));
        assert_eq!((timer.next(), timer.left(9000)), (None, (0, 0)));
    }

    #[test]
    fn what_is_missed_is_counted_and_the_rhythm_stays() {
        let mut timer = Interval::new(1000, None, 10);
        assert_eq!((timer.take_rung(999), timer.take_rung(1000)), (0, 1));
        assert_eq!((timer.next(), timer.take_rung(1009), timer.take_rung(1010)), (Some(1010), 0, 1));
        // 1020 to 1050, and it goes on at 1060.
        assert_eq!((timer.left(1055), timer.take_rung(1055), timer.next()), ((5, 10), 4, Some(1060)));
    }

    #[test]
    fn nothing_means_off_and_the_past_is_due() {
        assert_eq!(Interval::new(0, Some(500), 7), Interval::new(0, None, 7));
        assert_eq!((Interval::new(0, Some(500), 7).next(), Interval::new(0, None, 7).left(9)), (None, (0, 7)));
        // An absolute time that has passed: rung at once, and for each interval since.
        assert_eq!(Interval::new(3, None, 0).take_rung(500), 1);
        assert_eq!(Interval::new(3, None, 10).take_rung(500), 50);
    }

    #[test]
    fn the_end_of_time_is_no_overflow() {
        let mut timer = Interval::new(u64::MAX, Some(500), u64::MAX);
        assert_eq!((timer.next(), timer.left(500)), (Some(u64::MAX), (u64::MAX - 500, u64::MAX)));
        assert_eq!((timer.take_rung(u64::MAX), timer.next()), (1, Some(u64::MAX)));
        let mut fast = Interval::new(1, None, 1);
        assert_eq!((fast.take_rung(u64::MAX), fast.next()), (u64::MAX, Some(u64::MAX)));
    }

    #[test]
    fn only_intervals_shorter_than_a_respite_pause() {
        let pause = |interval| Interval::new(1, None, interval).pause(200);
        assert_eq!([0, 1, 199, 200, 5000].map(pause), [0, 200, 200, 0, 0]);
        assert_eq!(Interval::new(1, None, 5).pause(0), 0);
    }

    /// Whenever and however often it is asked, it has rung as often as a list of its times says.
    #[test]
    fn rings_are_those_of_a_list_of_times() {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let (first, interval) = (1 + random(50), 1 + random(20));
            let (mut timer, mut now, mut rung) = (Interval::new(first, None, interval), 0, 0);
            for _ in 0..20 {
                now += random(60);
                rung += timer.take_rung(now);
                let times = (0..).map(|number| first + number * interval);
                let (mut behind, passed) = (times.clone(), times.take_while(|&time| time <= now).count() as u64);
                let next = behind.find(|&time| time > now).unwrap();
                assert_eq!((rung, timer.next(), timer.left(now)), (passed, Some(next), (next - now, interval)));
            }
        }
    }
}
