//! What a scheduler keeps of a thread.

use intrusive::{Linked, Links, Word};
use sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::Parameters;

/// A scheduler's part of a thread: embedded in the kernel's thread, untouched by the kernel.
#[derive(Debug)]
#[repr(C)]
pub struct Entity {
    links: Links<Self>,
    place: AtomicU32,
    parameters: AtomicU32,
    affinity: AtomicU64,
    pub(crate) words: [Word; WORDS],
}

/// How many numbers a policy can keep in each thread.
pub const WORDS: usize = 6;

/// Where an entity is; its queue's lock guards changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In no queue: it waits, or is between two. The processor it was at last.
    Out(u32),
    /// In that processor's queue.
    Queued(u32),
    /// That processor runs it.
    Running(u32),
}

impl Entity {
    /// Of a thread with the usual parameters, that may run anywhere.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            links: Links::new(),
            place: AtomicU32::new(0),
            parameters: AtomicU32::new(0),
            affinity: AtomicU64::new(u64::MAX),
            words: [const { Word::new(0) }; WORDS],
        }
    }

    /// Its class, priority and nice value.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        Parameters::unpacked(self.parameters.load(Ordering::Relaxed))
    }

    /// The processors it may run on: bit n is processor n.
    #[must_use]
    pub fn affinity(&self) -> u64 {
        self.affinity.load(Ordering::Relaxed)
    }

    /// The processor it runs on, or ran on last.
    #[must_use]
    pub fn processor(&self) -> u32 {
        self.place.load(Ordering::Relaxed) >> 2
    }

    /// What the policy keeps of the thread, of which an image has one; nobody else looks at it. A policy made of
    /// another leaves that one its words. A thread that arrives as [`crate::Arrival::New`] may have those of one that
    /// has ended.
    #[inline]
    #[must_use]
    pub const fn words(&self) -> &[Word; WORDS] {
        &self.words
    }

    /// Takes another's parameters and affinity, as a new thread does from the one that made it.
    pub fn inherit(&self, from: &Self) {
        self.set_parameters(from.parameters());
        self.set_affinity(from.affinity());
    }

    pub(crate) fn set_parameters(&self, parameters: Parameters) {
        self.parameters.store(parameters.packed(), Ordering::Relaxed);
    }

    pub(crate) fn set_affinity(&self, processors: u64) {
        self.affinity.store(processors, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn place(&self) -> Place {
        let word = self.place.load(Ordering::Relaxed);
        match word & 3 {
            1 => Place::Queued(word >> 2),
            2 => Place::Running(word >> 2),
            _ => Place::Out(word >> 2),
        }
    }

    #[inline]
    pub(crate) fn set_place(&self, place: Place) {
        let word = match place {
            Place::Out(processor) => processor << 2,
            Place::Queued(processor) => processor << 2 | 1,
            Place::Running(processor) => processor << 2 | 2,
        };
        self.place.store(word, Ordering::Relaxed);
    }
}

impl Default for Entity {
    fn default() -> Self {
        Self::new()
    }
}

impl Linked for Entity {
    #[inline]
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}
