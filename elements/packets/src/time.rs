//! Time, as protocols count it.

use core::{
    ops::{Add, AddAssign, Sub},
    time::Duration,
};

/// A moment on the clock of whoever drives the stack: nanoseconds from a start that never moves. It wraps never (584
/// years), and knows no wall clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The last one that there is: never.
    pub const NEVER: Self = Self(u64::MAX);

    /// This moment, or `None` if it is never.
    #[must_use]
    #[inline]
    pub fn unless_never(self) -> Option<Self> {
        (self != Self::NEVER).then_some(self)
    }

    /// So many nanoseconds from the start.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// Nanoseconds from the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Microseconds from the start.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0 / 1_000
    }

    /// Milliseconds from the start.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000_000
    }

    /// The moment so many microseconds later, or the last one that there is.
    #[must_use]
    pub const fn plus_micros(self, micros: u64) -> Self {
        Self(self.0.saturating_add(micros.saturating_mul(1_000)))
    }

    /// The time since an earlier moment; nothing if it is a later one.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    /// The moment so much later, or the last one that there is.
    fn add(self, span: Duration) -> Self {
        let nanos = span.as_secs().saturating_mul(1_000_000_000).saturating_add(span.subsec_nanos().into());
        Self(self.0.saturating_add(nanos))
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    /// The moment so much earlier, or the start.
    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)))
    }
}
