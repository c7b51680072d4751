//! Clocks and timers: clock_gettime(2), setitimer(2).

flags! {
    /// Clocks by number.
    CLOCKS: u32 {
        CLOCK_REALTIME = 0 & 0xffff_ffff, CLOCK_MONOTONIC = 1 & 0xffff_ffff,
        CLOCK_PROCESS_CPUTIME_ID = 2 & 0xffff_ffff, CLOCK_THREAD_CPUTIME_ID = 3 & 0xffff_ffff,
        CLOCK_MONOTONIC_RAW = 4 & 0xffff_ffff, CLOCK_REALTIME_COARSE = 5 & 0xffff_ffff,
        CLOCK_MONOTONIC_COARSE = 6 & 0xffff_ffff, CLOCK_BOOTTIME = 7 & 0xffff_ffff,
        CLOCK_REALTIME_ALARM = 8 & 0xffff_ffff, CLOCK_BOOTTIME_ALARM = 9 & 0xffff_ffff, CLOCK_TAI = 11 & 0xffff_ffff,
    }
}

flags! {
    /// Flags of clock_nanosleep(2).
    TIMER_FLAGS: u32 { TIMER_ABSTIME = 1 }
}

flags! {
    /// Timers of setitimer(2).
    INTERVAL_TIMERS: u32 {
        ITIMER_REAL = 0 & 0xffff_ffff, ITIMER_VIRTUAL = 1 & 0xffff_ffff, ITIMER_PROF = 2 & 0xffff_ffff,
    }
}

/// Ticks a second of times(2) and AT_CLKTCK.
pub const CLOCK_TICKS: u64 = 100;
