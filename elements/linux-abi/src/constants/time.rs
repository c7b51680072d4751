//! Clocks and timers: clock_gettime(2), setitimer(2).

choices! {
    /// Clocks by number.
    CLOCKS: u32 {
        CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 1,
        CLOCK_PROCESS_CPUTIME_ID = 2, CLOCK_THREAD_CPUTIME_ID = 3,
        CLOCK_MONOTONIC_RAW = 4, CLOCK_REALTIME_COARSE = 5,
        CLOCK_MONOTONIC_COARSE = 6, CLOCK_BOOTTIME = 7,
        CLOCK_REALTIME_ALARM = 8, CLOCK_BOOTTIME_ALARM = 9, CLOCK_TAI = 11,
    }
}

flags! {
    /// Flags of clock_nanosleep(2).
    TIMER_FLAGS: TimerFlags(u32) { TIMER_ABSTIME = 1 }
}

choices! {
    /// Timers of setitimer(2).
    INTERVAL_TIMERS: u32 {
        ITIMER_REAL = 0, ITIMER_VIRTUAL = 1, ITIMER_PROF = 2,
    }
}

/// Ticks a second of times(2) and AT_CLKTCK.
pub const CLOCK_TICKS: u64 = 100;

flags! {
    /// Flags of timerfd_settime(2).
    TIMER_DESCRIPTOR_FLAGS: TimerDescriptorFlags(u32) { TFD_TIMER_ABSTIME = 1, TFD_TIMER_CANCEL_ON_SET = 2 }
}

values! { i32 {
    SIGEV_SIGNAL = 0,
    SIGEV_NONE = 1,
    SIGEV_THREAD = 2,
    SIGEV_THREAD_ID = 4,
} }
