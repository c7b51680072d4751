//! The retransmission timeout: RFC 6298, and the shortest round trip that RACK and HyStart want.

use core::time::Duration;

/// RFC 6298, 2.1.
pub const FIRST_TIMEOUT: Duration = Duration::from_secs(1);
/// The least that the variation adds. RFC 6298, 2.4 says one second for the whole; Linux has 200 ms for the variation
/// since 2003, and the delayed acknowledgments of others (40 ms to 200 ms) stay below it.
pub const LEAST_VARIATION: Duration = Duration::from_millis(200);
/// RFC 6298, 2.5 allows a minute or more; Linux has two.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(120);
const LONGEST_MICROS: u64 = LONGEST_TIMEOUT.as_micros() as u64;
/// How long the shortest round trip counts.
const SHORTEST_LIVES: u32 = 300_000;

/// What is known of the round trip, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct RoundTrip {
    /// Smoothed, times 8; 0: nothing is known.
    smoothed: u32,
    /// The mean deviation, times 4.
    variation: u32,
    /// The shortest one; `u32::MAX`: nothing is known.
    shortest: u32,
    /// When it was measured, in milliseconds.
    shortest_at: u32,
    /// How often the timeout has been doubled.
    pub backoff: u8,
}

impl Default for RoundTrip {
    fn default() -> Self {
        Self { smoothed: 0, variation: 0, shortest: u32::MAX, shortest_at: 0, backoff: 0 }
    }
}

impl RoundTrip {
    /// Takes a measured round trip of `micros` at `now` milliseconds: RFC 6298, 2.2 and 2.3.
    #[inline]
    pub fn sample(&mut self, micros: u32, now: u32) {
        let micros = micros.clamp(1, 1 << 28);
        if micros <= self.shortest || now.wrapping_sub(self.shortest_at) > SHORTEST_LIVES {
            (self.shortest, self.shortest_at) = (micros, now);
        }
        if self.smoothed == 0 {
            (self.smoothed, self.variation) = (micros * 8, micros * 2);
            return;
        }
        let error = micros.abs_diff(self.smoothed / 8);
        self.variation = self.variation - self.variation / 4 + error;
        self.smoothed = self.smoothed - self.smoothed / 8 + micros;
    }

    /// Whether there is a measurement.
    pub const fn is_known(&self) -> bool {
        self.smoothed != 0
    }

    /// SRTT in microseconds; 0: nothing is known.
    pub const fn smoothed(&self) -> u32 {
        self.smoothed / 8
    }

    /// RTTVAR in microseconds.
    pub const fn variation(&self) -> u32 {
        self.variation / 4
    }

    /// The shortest one in microseconds, if any is known.
    pub fn shortest(&self) -> Option<u32> {
        (self.shortest != u32::MAX).then_some(self.shortest)
    }

    /// The timeout before it is doubled.
    pub fn base_timeout(&self) -> Duration {
        Duration::from_micros(self.base_micros())
    }

    /// The same in microseconds.
    pub fn base_micros(&self) -> u64 {
        const FIRST: u64 = FIRST_TIMEOUT.as_micros() as u64;
        const LEAST: u64 = LEAST_VARIATION.as_micros() as u64;
        if !self.is_known() {
            return FIRST;
        }
        (u64::from(self.smoothed()) + u64::from(self.variation).max(LEAST)).min(LONGEST_MICROS)
    }

    /// The timeout: RFC 6298, 5.5.
    pub fn timeout(&self) -> Duration {
        Duration::from_micros(self.timeout_micros())
    }

    /// The same in microseconds: it is asked for with each segment.
    pub fn timeout_micros(&self) -> u64 {
        (self.base_micros() << self.backoff.min(10)).min(LONGEST_MICROS)
    }
}
