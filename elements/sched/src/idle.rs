//! Which processors have nothing to do.

use sync::atomic::{AtomicU64, Ordering, fence};

/// A bit for each of `PROCESSORS` processors.
#[derive(Debug)]
pub(crate) struct Idle<const PROCESSORS: usize>(AtomicU64);

impl<const PROCESSORS: usize> Idle<PROCESSORS> {
    pub(crate) const fn new() -> Self {
        Self(AtomicU64::new(0))
    }

    /// The processor has found nothing to do, and looks at the other queues only after saying so.
    pub(crate) fn set(&self, processor: u32) {
        if PROCESSORS == 1 {
            self.0.store(1, Ordering::Relaxed);
        } else {
            self.0.fetch_or(1 << processor, Ordering::SeqCst);
            fence(Ordering::SeqCst);
        }
    }

    /// The processor has found something; whether it still counted as idle, so that nobody told it to look.
    pub(crate) fn clear(&self, processor: u32) -> bool {
        let bit = 1 << processor;
        if self.0.load(Ordering::Relaxed) & bit == 0 {
            return false;
        }
        if PROCESSORS == 1 {
            self.0.store(0, Ordering::Relaxed);
            return true;
        }
        self.0.fetch_and(!bit, Ordering::SeqCst) & bit != 0
    }

    /// One of `wanted` that idles, `first` before others.
    #[inline]
    pub(crate) fn find(&self, wanted: u64, first: u32) -> Option<u32> {
        let candidates = self.0.load(Ordering::Relaxed) & wanted;
        match candidates {
            0 => None,
            _ if candidates >> first & 1 != 0 => Some(first),
            _ => Some(candidates.trailing_zeros()),
        }
    }

    /// The same, and from now on it counts as busy: it must be told to look.
    #[inline]
    pub(crate) fn claim(&self, wanted: u64, first: u32) -> Option<u32> {
        if PROCESSORS == 1 {
            return self.clear(0).then_some(0);
        }
        self.find(wanted, first)?;
        self.claim_found(wanted, first)
    }

    #[inline(never)]
    fn claim_found(&self, wanted: u64, first: u32) -> Option<u32> {
        loop {
            let found = self.find(wanted, first)?;
            if self.clear(found) {
                return Some(found);
            }
        }
    }

    /// All that idle; they must be told.
    pub(crate) fn claim_all(&self) -> u64 {
        self.0.swap(0, Ordering::SeqCst)
    }
}
