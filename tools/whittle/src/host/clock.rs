//! How fast the time stamp counter counts. Machines under emulation see the host's counter, and have no other clock
//! that would tell its speed without waiting.

use std::time::{Duration, Instant};

use crate::child::cycles;

const LENGTH: Duration = Duration::from_millis(50);

/// Cycles in a millisecond, measured over 50 of them.
#[must_use]
pub fn measure() -> Option<u64> {
    let (start, first) = now();
    std::thread::sleep(LENGTH);
    let (end, last) = now();
    let nanoseconds = end.duration_since(start).as_nanos();
    let counted = u128::from(last.checked_sub(first)?);
    let kilohertz = u64::try_from(counted * 1_000_000 / nanoseconds.max(1)).ok()?;
    // 100 MHz to 10 GHz; anything else is no time stamp counter.
    (100_000..10_000_000).contains(&kilohertz).then_some(kilohertz)
}

/// The moment and the counter, read together: of several tries the one with the shortest gap between two readings.
fn now() -> (Instant, u64) {
    let tries = (0..5).map(|_| {
        let before = cycles();
        let moment = Instant::now();
        let after = cycles();
        (after.wrapping_sub(before), moment, before + after.wrapping_sub(before) / 2)
    });
    let (_, moment, counter) = tries.min_by_key(|(gap, ..)| *gap).expect("there are five tries");
    (moment, counter)
}
