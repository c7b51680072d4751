//! What atomicity costs, and where it costs nothing.
//!
//! The kernel is never interrupted in its own code, so where there is one processor nobody else can be there: an
//! exchange is a load and a store. Whether there is one is a constant of the image, and the other way is not in it.

use core::sync::atomic::{
    AtomicU8,
    Ordering::{Relaxed, SeqCst},
};

use crate::processor::alone;

/// Makes `word` what `change` says; what it was before, or is if nothing is said.
#[inline(always)]
pub(super) fn update(word: &AtomicU8, change: impl Fn(u8) -> Option<u8>) -> Result<u8, u8> {
    if !alone() {
        return word.fetch_update(SeqCst, SeqCst, change);
    }
    let before = word.load(Relaxed);
    let after = change(before).ok_or(before)?;
    word.store(after, Relaxed);
    Ok(before)
}

/// Stores what others look at.
#[inline(always)]
pub(super) fn put(word: &AtomicU8, value: u8) {
    word.store(value, if alone() { Relaxed } else { SeqCst });
}
