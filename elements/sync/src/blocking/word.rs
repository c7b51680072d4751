//! The words that locks are made of.

use crate::atomic::{AtomicU32, Ordering};

use super::Threads;

/// Between a word and a count, or the other way round. All their accesses are of the one order that all threads see,
/// which is enough; loom takes those for less and wants a fence.
#[inline(always)]
pub(super) fn settle() {
    #[cfg(loom)]
    crate::atomic::fence(Ordering::SeqCst);
}

/// Makes `word` what `change` says of it; whether it said anything.
#[inline(always)]
pub(super) fn update<T: Threads>(word: &AtomicU32, change: impl Fn(u32) -> Option<u32>) -> bool {
    let mut now = word.load(Ordering::SeqCst);
    loop {
        let Some(next) = change(now) else { return false };
        if T::take_turns() {
            word.store(next, Ordering::Relaxed);
            return true;
        }
        match word.compare_exchange(now, next, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) => return true,
            Err(other) => now = other,
        }
    }
}

/// Makes `word` another; what it was before.
#[inline(always)]
pub(super) fn exchange<T: Threads>(word: &AtomicU32, next: u32) -> u32 {
    if !T::take_turns() {
        return word.swap(next, Ordering::SeqCst);
    }
    let before = word.load(Ordering::Relaxed);
    word.store(next, Ordering::Relaxed);
    before
}

/// Adds to `word`, wrapping; what it was before.
#[inline(always)]
pub(super) fn add<T: Threads>(word: &AtomicU32, more: u32) -> u32 {
    if !T::take_turns() {
        return word.fetch_add(more, Ordering::SeqCst);
    }
    let before = word.load(Ordering::Relaxed);
    word.store(before.wrapping_add(more), Ordering::Relaxed);
    before
}
