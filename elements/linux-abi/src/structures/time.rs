//! Times: clock_gettime(2), gettimeofday(2), getitimer(2).

structure! {
    /// `struct timespec`: seconds and nanoseconds.
    TimeSpec 16 {
        tv_sec: i64,
        tv_nsec: i64,
    }
}

structure! {
    /// `struct timeval`: seconds and microseconds.
    TimeValue 16 {
        tv_sec: i64,
        tv_usec: i64,
    }
}

structure! {
    /// `struct itimerval`, getitimer(2).
    IntervalTimer 32 {
        it_interval: TimeValue,
        it_value: TimeValue,
    }
}

structure! {
    /// `struct itimerspec`, timer_settime(2).
    TimerSpec 32 {
        it_interval: TimeSpec,
        it_value: TimeSpec,
    }
}

structure! {
    /// `struct sigevent`, timer_create(2); behind the thread's id comes room that nobody uses.
    SignalEvent 64 {
        sigev_value: u64,
        sigev_signo: i32,
        sigev_notify: i32,
        sigev_notify_thread_id: i32,
        padding: u32,
        reserved: [u64; 5],
    }
}

/// Nanoseconds in a second.
const SECOND: u64 = 1_000_000_000;

impl TimeSpec {
    /// From nanoseconds.
    #[must_use]
    #[inline]
    pub const fn from_nanoseconds(nanoseconds: u64) -> Self {
        Self { tv_sec: (nanoseconds / SECOND) as i64, tv_nsec: (nanoseconds % SECOND) as i64 }
    }

    /// Nanoseconds, at most `u64::MAX` (584 years); `None` if seconds are negative or nanoseconds out of range.
    #[must_use]
    #[inline(never)]
    pub const fn nanoseconds(self) -> Option<u64> {
        if self.tv_sec < 0 || self.tv_nsec < 0 || self.tv_nsec >= SECOND as i64 {
            return None;
        }
        Some((self.tv_sec as u64).saturating_mul(SECOND).saturating_add(self.tv_nsec as u64))
    }
}

impl TimeValue {
    /// From nanoseconds; a fraction of a microsecond is dropped.
    #[must_use]
    #[inline(never)]
    pub const fn from_nanoseconds(nanoseconds: u64) -> Self {
        Self { tv_sec: (nanoseconds / SECOND) as i64, tv_usec: (nanoseconds % SECOND / 1000) as i64 }
    }

    /// Nanoseconds, at most `u64::MAX`; `None` if seconds are negative or microseconds out of range.
    #[must_use]
    #[inline(never)]
    pub const fn nanoseconds(self) -> Option<u64> {
        if self.tv_sec < 0 || self.tv_usec < 0 || self.tv_usec >= 1_000_000 {
            return None;
        }
        Some((self.tv_sec as u64).saturating_mul(SECOND).saturating_add(self.tv_usec as u64 * 1000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_convert_and_nonsense_does_not() {
        assert_eq!(TimeSpec { tv_sec: 2, tv_nsec: 5 }.nanoseconds(), Some(2_000_000_005));
        assert_eq!(TimeSpec { tv_sec: i64::MAX, tv_nsec: 0 }.nanoseconds(), Some(u64::MAX));
        assert_eq!(TimeSpec { tv_sec: 0, tv_nsec: 1_000_000_000 }.nanoseconds(), None);
        assert_eq!(TimeSpec { tv_sec: -1, tv_nsec: 0 }.nanoseconds(), None);
        assert_eq!(TimeValue::from_nanoseconds(1_500_000_999), TimeValue { tv_sec: 1, tv_usec: 500_000 });
        assert_eq!(TimeValue { tv_sec: 0, tv_usec: 1_000_000 }.nanoseconds(), None);
    }
}
