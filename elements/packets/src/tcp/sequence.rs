//! Sequence numbers: RFC 9293, 3.4.

use core::ops::{Add, AddAssign, Sub};

/// A number of a byte in a stream, modulo 2^32. Of two numbers that are less than 2^31 apart, one is before the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SequenceNumber(pub u32);

impl SequenceNumber {
    /// Whether it comes before another.
    #[must_use]
    pub const fn is_before(self, other: Self) -> bool {
        (self.0.wrapping_sub(other.0) as i32) < 0
    }

    /// Whether it is another, or comes before it.
    #[must_use]
    pub const fn is_at_most(self, other: Self) -> bool {
        !other.is_before(self)
    }

    /// Whether it comes behind another.
    #[must_use]
    pub const fn is_behind(self, other: Self) -> bool {
        other.is_before(self)
    }

    /// The later one.
    #[must_use]
    pub const fn later(self, other: Self) -> Self {
        if self.is_before(other) { other } else { self }
    }

    /// The earlier one.
    #[must_use]
    pub const fn earlier(self, other: Self) -> Self {
        if self.is_before(other) { self } else { other }
    }

    /// How many bytes it is behind another: negative if it comes before.
    #[must_use]
    pub const fn distance_from(self, other: Self) -> i32 {
        self.0.wrapping_sub(other.0) as i32
    }
}

impl Add<u32> for SequenceNumber {
    type Output = Self;

    fn add(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl AddAssign<u32> for SequenceNumber {
    fn add_assign(&mut self, bytes: u32) {
        *self = *self + bytes;
    }
}

impl Sub<u32> for SequenceNumber {
    type Output = Self;

    fn sub(self, bytes: u32) -> Self {
        Self(self.0.wrapping_sub(bytes))
    }
}

impl Sub for SequenceNumber {
    type Output = u32;

    /// The bytes from an earlier number to this one.
    fn sub(self, earlier: Self) -> u32 {
        self.0.wrapping_sub(earlier.0)
    }
}
