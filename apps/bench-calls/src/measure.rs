//! Counting ticks of one operation.

use std::arch::x86_64::{__cpuid, _mm_lfence, _rdtsc};

use crate::operations::Operation;

/// The time stamp counter, with everything before it done.
fn ticks() -> u64 {
    // SAFETY: both instructions are part of every x86-64 processor (Intel SDM 2B, RDTSC and LFENCE).
    unsafe {
        _mm_lfence();
        let now = _rdtsc();
        _mm_lfence();
        now
    }
}

fn one(rounds: u32, operation: &mut Operation) -> u64 {
    let start = ticks();
    for _ in 0..rounds {
        std::hint::black_box(operation());
    }
    ticks() - start
}

/// Ticks per round, without the loop's own: the least of the repeats, after one that warms up.
pub fn least(rounds: u32, repeats: u32, operation: &mut Operation) -> u64 {
    // A serialising instruction, once: what came before this measurement is not in it.
    let _ = __cpuid(0);
    one(rounds.min(20), operation);
    let mut empty: Operation = Box::new(|| 0);
    let loop_alone = (0..repeats).map(|_| one(rounds, &mut empty)).min().unwrap_or(0);
    let least = (0..repeats).map(|_| one(rounds, operation)).min().unwrap_or(0);
    least.saturating_sub(loop_alone) / u64::from(rounds)
}
