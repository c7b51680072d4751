//! Time, as `std::time` has it.

use core::{
    error, fmt,
    ops::{Add, AddAssign, Sub, SubAssign},
};

pub use core::time::{Duration, TryFromFloatSecsError};

const SECOND: u32 = 1_000_000_000;

/// The start of 1970, UTC.
pub const UNIX_EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

/// A time after or before a clock's start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Point {
    seconds: i64,
    /// Forwards from there, less than [`SECOND`].
    nanoseconds: u32,
}

impl Point {
    const START: Self = Self { seconds: 0, nanoseconds: 0 };

    const fn of_clock(nanoseconds: u64) -> Self {
        let second = SECOND as u64;
        Self { seconds: (nanoseconds / second) as i64, nanoseconds: (nanoseconds % second) as u32 }
    }

    /// How long since `earlier`; if that is later, how long before it.
    fn since(self, earlier: Self) -> Result<Duration, Duration> {
        if self < earlier {
            return Err(earlier.since(self).unwrap_or_else(|duration| duration));
        }
        let borrow = self.nanoseconds < earlier.nanoseconds;
        let nanoseconds = self.nanoseconds + if borrow { SECOND } else { 0 } - earlier.nanoseconds;
        // The difference of two `i64` in their order fits into a `u64`.
        let seconds = self.seconds.wrapping_sub(earlier.seconds) as u64;
        Ok(Duration::new(seconds - u64::from(borrow), nanoseconds))
    }

    fn plus(self, duration: Duration) -> Option<Self> {
        let nanoseconds = self.nanoseconds + duration.subsec_nanos();
        let seconds = self.seconds.checked_add_unsigned(duration.as_secs())?;
        let seconds = seconds.checked_add(i64::from(nanoseconds / SECOND))?;
        Some(Self { seconds, nanoseconds: nanoseconds % SECOND })
    }

    fn minus(self, duration: Duration) -> Option<Self> {
        let nanoseconds = self.nanoseconds + SECOND - duration.subsec_nanos();
        let seconds = self.seconds.checked_sub_unsigned(duration.as_secs())?;
        let seconds = seconds.checked_sub(i64::from(nanoseconds < SECOND))?;
        Some(Self { seconds, nanoseconds: nanoseconds % SECOND })
    }
}

/// A time of the clock that never goes backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Point);

impl Instant {
    /// Now.
    #[must_use]
    pub fn now() -> Self {
        Self(Point::of_clock(contracts::clock::monotonic()))
    }

    /// How long since `earlier`, zero if that is later.
    #[must_use]
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.saturating_duration_since(earlier)
    }

    /// How long since `earlier`, `None` if that is later.
    #[must_use]
    pub fn checked_duration_since(&self, earlier: Self) -> Option<Duration> {
        self.0.since(earlier.0).ok()
    }

    /// How long since `earlier`, zero if that is later.
    #[must_use]
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }

    /// How long ago it was.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }
}

/// A time of the calendar's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime(Point);

impl SystemTime {
    /// The start of 1970, UTC.
    pub const UNIX_EPOCH: Self = Self(Point::START);

    /// Now.
    #[must_use]
    pub fn now() -> Self {
        Self(Point::of_clock(contracts::clock::wall()))
    }

    /// So many nanoseconds after 1970 began, or before.
    pub(crate) const fn of_file(nanoseconds: i64) -> Self {
        let second = SECOND as i64;
        let (seconds, nanoseconds) = (nanoseconds.div_euclid(second), nanoseconds.rem_euclid(second) as u32);
        Self(Point { seconds, nanoseconds })
    }

    /// The nanoseconds of [`SystemTime::of_file`], or the nearest that there are.
    pub(crate) const fn for_file(self) -> i64 {
        self.0.seconds.saturating_mul(SECOND as i64).saturating_add(self.0.nanoseconds as i64)
    }

    /// How long since `earlier`.
    ///
    /// # Errors
    /// It is later.
    pub fn duration_since(&self, earlier: Self) -> Result<Duration, SystemTimeError> {
        self.0.since(earlier.0).map_err(SystemTimeError)
    }

    /// How long ago it was.
    ///
    /// # Errors
    /// It is still to come.
    pub fn elapsed(&self) -> Result<Duration, SystemTimeError> {
        Self::now().duration_since(*self)
    }
}

/// The arithmetic that both clocks' times have.
macro_rules! arithmetic {
    ($($name:ident)*) => {
        $(
            impl $name {
                /// So much later, if there is such a time.
                #[must_use]
                pub fn checked_add(&self, duration: Duration) -> Option<Self> {
                    self.0.plus(duration).map(Self)
                }

                /// So much earlier, if there is such a time.
                #[must_use]
                pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
                    self.0.minus(duration).map(Self)
                }
            }

            impl Add<Duration> for $name {
                type Output = Self;

                fn add(self, duration: Duration) -> Self {
                    self.checked_add(duration).expect("overflow when adding duration to instant")
                }
            }

            impl AddAssign<Duration> for $name {
                fn add_assign(&mut self, duration: Duration) {
                    *self = *self + duration;
                }
            }

            impl Sub<Duration> for $name {
                type Output = Self;

                fn sub(self, duration: Duration) -> Self {
                    self.checked_sub(duration).expect("overflow when subtracting duration from instant")
                }
            }

            impl SubAssign<Duration> for $name {
                fn sub_assign(&mut self, duration: Duration) {
                    *self = *self - duration;
                }
            }
        )*
    };
}

arithmetic!(Instant SystemTime);

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

/// That a time was later than the one it was asked about.
#[derive(Clone, Debug)]
pub struct SystemTimeError(Duration);

impl SystemTimeError {
    /// How much later.
    #[must_use]
    pub const fn duration(&self) -> Duration {
        self.0
    }
}

impl fmt::Display for SystemTimeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("second time provided was later than self")
    }
}

impl error::Error for SystemTimeError {}
