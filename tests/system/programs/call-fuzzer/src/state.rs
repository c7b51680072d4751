//! What outlasts a round: a page of a file in memory, found again by its descriptor when the program begins anew.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::raw::call;

/// The descriptors that no fuzzed call is let near: state, report, the program's file.
pub const KEPT: std::ops::Range<u64> = 1000..1003;
/// Where the state is kept.
pub const STATE: u64 = 1000;
/// Where reports go.
pub const REPORT: u64 = 1001;
/// The program's own file.
pub const PROGRAM: u64 = 1002;

const MAGIC: u64 = 0x66_757a_7a65_7231;
const PAGE: u64 = 4096;
/// Most workers.
pub const WORKERS: usize = 8;

/// Counters and wishes.
#[repr(C)]
pub struct State {
    magic: AtomicU64,
    /// What all chance comes from.
    pub seed: AtomicU64,
    /// Rounds begun.
    pub round: AtomicU64,
    /// Calls wanted in all.
    pub wanted: AtomicU64,
    /// Calls of a round.
    pub each: AtomicU64,
    /// How many threads make calls.
    pub threads: AtomicU64,
    /// Whether each call is told.
    pub verbose: AtomicU64,
    /// The one call to make, or `u64::MAX`.
    pub only: AtomicU64,
    /// Calls made by each worker.
    pub made: [AtomicU64; WORKERS],
    /// How often the program began anew because it could not go on.
    pub lost: AtomicU64,
    /// How often a worker did.
    pub fallen: AtomicU64,
    /// Calls that did not fail.
    pub answered: AtomicU64,
}

impl State {
    /// The state left by the round before, or a new one: `true` then.
    pub fn open() -> Option<(&'static Self, bool)> {
        let state = Self::map().or_else(|| {
            // memfd_create, ftruncate, dup2, close
            let fresh = call(319, [c"state".as_ptr() as u64, 0]);
            call(77, [fresh as u64, PAGE]);
            call(33, [fresh as u64, STATE]);
            call(3, [fresh as u64]);
            Self::map()
        })?;
        Some((state, state.magic.swap(MAGIC, Relaxed) != MAGIC))
    }

    fn map() -> Option<&'static Self> {
        // MAP_SHARED, for reading and writing
        let address = call(9, [0, PAGE, 3, 1, STATE, 0]);
        // A mapping that nothing takes away again; the file is as long as a page, all of it counters.
        (address > 0).then(|| unsafe { &*(address as *const Self) })
    }

    /// Calls made in all rounds.
    pub fn calls(&self) -> u64 {
        self.made.iter().map(|count| count.load(Relaxed)).sum()
    }
}
