//! Something that is done once.

use super::{Gate, Threads, word};
use crate::atomic::{AtomicU32, Ordering};

/// Done by the first who comes, while others wait.
#[derive(Debug, Default)]
pub struct Once<T: Threads> {
    progress: AtomicU32,
    gate: Gate<T>,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Nobody has begun.
    Nothing,
    /// Somebody is at it.
    Begun,
    /// It is done.
    Done,
}

const NOTHING: u32 = 0;
const BEGUN: u32 = 1;
const DONE: u32 = 2;

impl<T: Threads> Once<T> {
    /// Not done.
    #[must_use]
    pub const fn new() -> Self {
        Self { progress: AtomicU32::new(NOTHING), gate: Gate::new() }
    }

    /// How far it is.
    #[inline]
    pub fn progress(&self) -> Progress {
        match self.progress.load(Ordering::Acquire) {
            NOTHING => Progress::Nothing,
            BEGUN => Progress::Begun,
            _ => Progress::Done,
        }
    }

    /// Does it if nobody has; when this returns it is done. If `work` says that it came to nothing, the next one tries.
    #[inline]
    pub fn call(&self, work: impl FnOnce() -> bool) {
        if self.progress() != Progress::Done && self.begin() {
            self.end(work());
        }
    }

    /// Whether the caller is the one who does it; if not, it is done.
    #[cold]
    fn begin(&self) -> bool {
        let begin = || word::update::<T>(&self.progress, |progress| (progress == NOTHING).then_some(BEGUN));
        if begin() {
            return true;
        }
        let mut mine = false;
        self.gate.pass(|| {
            mine = begin();
            mine || self.progress() == Progress::Done
        });
        mine
    }

    fn end(&self, done: bool) {
        word::exchange::<T>(&self.progress, if done { DONE } else { NOTHING });
        self.gate.open(usize::MAX);
    }
}
