//! The numbers on the way to an entry.

/// The numbers that are names on the way from the root to an entry: of a process, of a thread of it, of a file that it
/// has open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trail {
    first: u32,
    last: u32,
    count: u32,
}

impl Trail {
    /// None yet.
    pub(super) const START: Self = Self { first: 0, last: 0, count: 0 };

    /// One more.
    pub(super) const fn with(self, number: u32) -> Self {
        Self { first: if self.count == 0 { number } else { self.first }, last: number, count: self.count + 1 }
    }

    /// The first number; `None` where there is none on the way.
    #[must_use]
    pub const fn first(self) -> Option<u32> {
        if self.count > 0 { Some(self.first) } else { None }
    }

    /// The nearest number.
    #[must_use]
    pub const fn last(self) -> Option<u32> {
        if self.count > 0 { Some(self.last) } else { None }
    }
}
