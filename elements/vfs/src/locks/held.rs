//! One lock.

use alloc::vec::Vec;

use super::File;

/// Whose a lock is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A process' (POSIX).
    Process,
    /// An open file's, on a range (F_OFD_SETLK); it and those of processes are in each other's way.
    Range,
    /// An open file's, on the whole file (flock(2)), which no others concern.
    Whole,
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
    const fn meets(&self, other: &Self) -> bool {
        self.file.0 == other.file.0
            && self.file.1 == other.file.1
            && (matches!(self.kind, Kind::Whole) == matches!(other.kind, Kind::Whole))
            && self.start <= other.last
            && other.start <= self.last
    }

    fn is_of(&self, other: &Self) -> bool {
        self.holder == other.holder && self.kind == other.kind
    }

    /// Whether both cannot be.
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        self.meets(other) && !self.is_of(other) && (self.write || other.write)
    }
}

/// Takes a range away from what its holder has.
pub(super) fn without(held: &mut Vec<Held>, range: &Held) {
    let mut rests = Vec::new();
    held.retain(|lock| {
        let hit = lock.is_of(range) && lock.meets(range);
        if hit {
            if lock.start < range.start {
                rests.push(Held { last: range.start - 1, ..*lock });
            }
            if lock.last > range.last {
                rests.push(Held { start: range.last + 1, ..*lock });
            }
        }
        !hit
    });
    held.append(&mut rests);
}
