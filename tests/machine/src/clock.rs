//! The slot `clock`: time passes only when every processor idles, up to the next alarm.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Fills the slot.
#[derive(Debug)]
pub struct Clock;

/// When the machine began: some day of 2017.
const BEGIN: u64 = 1_500_000_000_000_000_000;
static NOW: AtomicU64 = AtomicU64::new(1);

/// Moves the clock to `moment`, if that is ahead.
pub(crate) fn pass(moment: u64) {
    NOW.fetch_max(moment, SeqCst);
}

impl machine::Clock for Clock {
    fn monotonic(&self) -> u64 {
        NOW.load(SeqCst)
    }

    fn wall(&self) -> u64 {
        BEGIN + NOW.load(SeqCst)
    }
}
