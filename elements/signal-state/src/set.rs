//! Sets of signals: bit n - 1 stands for signal n, as in the kernel's `sigset_t`.

use linux_abi::constants::{SIGBUS, SIGFPE, SIGILL, SIGKILL, SIGRTMAX, SIGSEGV, SIGSTOP, SIGSYS, SIGTRAP};

/// A set of signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignalSet(pub u64);

impl SignalSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// What nobody can block or handle.
    pub const UNBLOCKABLE: Self = Self::of(&[SIGKILL, SIGSTOP]);
    /// Signals that an instruction of the thread itself causes: delivered before all others.
    pub const SYNCHRONOUS: Self = Self::of(&[SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS]);

    /// A set of these signals.
    #[must_use]
    pub const fn of(signals: &[u8]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < signals.len() {
            bits |= 1 << (signals[index] - 1);
            index += 1;
        }
        Self(bits)
    }

    /// Whether `signal` (1 to 64) is in it.
    #[must_use]
    pub const fn contains(self, signal: u8) -> bool {
        signal >= 1 && signal <= SIGRTMAX && self.0 & 1 << (signal - 1) != 0
    }

    /// This set and `signal` (1 to 64).
    #[must_use]
    pub const fn with(self, signal: u8) -> Self {
        Self(self.0 | 1 << (signal - 1))
    }

    /// Signals of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Signals of both sets.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Signals of this set that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signal that is delivered first: synchronous ones, then by number.
    #[must_use]
    pub const fn first(self) -> Option<u8> {
        let synchronous = self.intersection(Self::SYNCHRONOUS);
        let set = if synchronous.is_empty() { self } else { synchronous };
        if set.is_empty() { None } else { Some(set.0.trailing_zeros() as u8 + 1) }
    }
}
