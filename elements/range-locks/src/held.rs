//! One lock.

use super::File;

/// Whose a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A process' (POSIX).
    Process,
    /// An open file's, on a range (F_OFD_SETLK); it and those of processes are in each other's way.
    Range,
    /// An open file's, on the whole file (flock(2)), which no others concern.
    Whole,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Process, Self::Range, Self::Whole];
}

/// A lock, or a range that somebody wants to lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// On which file.
    pub file: File,
    /// Whose.
    pub kind: Kind,
    /// By whom.
    pub holder: usize,
    /// Nobody else may read.
    pub write: bool,
    /// The first byte.
    pub start: u64,
    /// The last byte; `u64::MAX` for all that may come.
    pub last: u64,
}

impl Held {
    /// Whether both cannot be, on one file.
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        let is_of = self.holder == other.holder && self.kind == other.kind;
        self.start <= other.last && other.start <= self.last && !is_of && (self.write || other.write)
    }
}
