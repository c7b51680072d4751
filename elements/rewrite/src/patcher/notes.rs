//! What copies of a space tell each other of their sites: a process that made many children learns what traps in them.
//!
//! A child ends, and what it has found out ends with it. So what traps in a child, or was proven there, is noted in
//! words that all copies have in common, and who is about to be copied again reads them. Nothing of it is believed of
//! code that may be another: who loses code, or gives it back, has notes of its own from then on.

use core::sync::atomic::{
    AtomicBool, AtomicU32, AtomicU64,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

/// Sites of which traps are noted, and such whose proof is awaited. What finds no place is not noted.
const MOST: usize = 16;

/// Traps with one number.
#[derive(Debug, Default)]
struct Trapped {
    /// The address behind the `syscall`; 0 if the place is free.
    behind: AtomicU64,
    number: AtomicU32,
    traps: AtomicU32,
}

/// A staged patch.
#[derive(Debug, Default)]
struct Awaited {
    /// Its first byte; 0 if the place is free.
    start: AtomicU64,
    proven: AtomicBool,
}

/// What is common to copies of one space.
#[derive(Debug, Default)]
pub struct Notes {
    trapped: [Trapped; MOST],
    awaited: [Awaited; MOST],
    /// Whether there is something to read.
    ripe: AtomicBool,
}

impl Notes {
    /// A site has trapped; `enough` traps are worth reading.
    pub fn trapped(&self, behind: u64, number: u32, enough: u32) {
        let is_it = |note: &&Trapped| note.behind.load(Acquire) == behind && note.number.load(Relaxed) == number;
        let known = self.trapped.iter().find(is_it);
        let claim = |note: &&Trapped| note.behind.compare_exchange(0, behind, AcqRel, Relaxed).is_ok();
        let Some(note) = known.or_else(|| {
            let free = self.trapped.iter().find(claim)?;
            // Another copy may count by the former number meanwhile. It is only a count.
            free.number.store(number, Relaxed);
            free.traps.store(0, Relaxed);
            Some(free)
        }) else {
            return;
        };
        if note.traps.fetch_add(1, Relaxed) + 1 >= enough {
            self.ripe.store(true, Release);
        }
    }

    /// A patch was staged so that a copy proves it.
    pub fn await_proof(&self, start: u64) {
        let place = self.awaited.iter().find(|place| [0, start].contains(&place.start.load(Acquire)));
        if let Some(place) = place {
            place.proven.store(false, Relaxed);
            place.start.store(start, Release);
        }
    }

    /// A patch has been proven.
    pub fn proven(&self, start: u64) {
        if let Some(place) = self.awaited.iter().find(|place| place.start.load(Acquire) == start) {
            place.proven.store(true, Release);
            self.ripe.store(true, Release);
        }
    }

    /// Whether there is something to read; from now on only what comes then.
    pub fn take_ripe(&self) -> bool {
        self.ripe.load(Acquire) && self.ripe.swap(false, AcqRel)
    }

    /// Takes what has trapped `enough` times: the address behind it, its number, and how often.
    pub fn take_trapped(&self, enough: u32) -> impl Iterator<Item = (u64, u32, u32)> {
        let ripe = self
            .trapped
            .iter()
            .filter(move |note| note.behind.load(Acquire) != 0 && note.traps.load(Relaxed) >= enough);
        ripe.map(|note| {
            let (number, traps) = (note.number.load(Relaxed), note.traps.swap(0, Relaxed));
            (note.behind.swap(0, AcqRel), number, traps)
        })
    }

    /// Takes the patches that were proven.
    pub fn take_proven(&self) -> impl Iterator<Item = u64> {
        let proven = self.awaited.iter().filter(|place| place.proven.swap(false, AcqRel));
        proven.map(|place| place.start.swap(0, AcqRel))
    }
}
