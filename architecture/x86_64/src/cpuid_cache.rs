//! What CPUID has said before. Under a hypervisor each of these instructions takes some microseconds, and programs
//! execute some seventy of them before they begin.

use core::sync::atomic::{
    AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use crate::instructions::{self, CpuidResult, maximum_leaf, time_stamp};

/// Ticks of the time stamp counter from which on an answer is worth remembering. Without a hypervisor it takes 100 to
/// 200.
pub const SLOW: u64 = 1000;

/// Answers that are remembered, and places at which one may be.
const PLACES: usize = 128;
const TRIES: usize = 8;

/// An answer. The key is 0 as long as there is none, and [`TAKEN`] while somebody writes it.
struct Known {
    key: AtomicU64,
    values: [AtomicU64; 2],
}

const TAKEN: u64 = u64::MAX;

static KNOWN: [Known; PLACES] =
    [const { Known { key: AtomicU64::new(0), values: [const { AtomicU64::new(0) }; 2] } }; PLACES];

/// How many leaves there are from 0 and from 0x8000_0000 on of which all processors say the same; [`UNKNOWN`] before
/// anybody has asked. Those behind them are answered as if another one had been asked for.
static LEAVES: [AtomicU32; 2] = [const { AtomicU32::new(UNKNOWN) }; 2];
const UNKNOWN: u32 = u32::MAX;

/// Ticks of the time stamp counter that an answer takes.
#[must_use]
pub fn ticks() -> u64 {
    let begin = time_stamp();
    let _ = instructions::cpuid(0, 0);
    time_stamp().wrapping_sub(begin)
}

/// What CPUID says, by what it has said before where that is the same for all processors and at all times.
#[must_use]
pub fn cpuid(leaf: u32, subleaf: u32) -> CpuidResult {
    let Some(key) = key(leaf, subleaf).filter(|_| leaf & 0x7fff_ffff < leaves(leaf)) else {
        return instructions::cpuid(leaf, subleaf);
    };
    let first = place(key);
    let places = (0..TRIES).map(|index| &KNOWN[(first + index) % PLACES]);
    for place in places {
        match place.key.load(Acquire) {
            found if found == key => return place.read(),
            0 => {
                let answer = instructions::cpuid(leaf, subleaf);
                if place.key.compare_exchange(0, TAKEN, Relaxed, Relaxed).is_ok() {
                    place.write(answer);
                    place.key.store(key, Release);
                }
                return answer;
            }
            _ => {}
        }
    }
    instructions::cpuid(leaf, subleaf)
}

/// Where the answer to a question is looked for first: Fibonacci hashing (Knuth, The Art of Computer Programming 3,
/// section 6.4).
const fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACES.ilog2())) as usize
}

/// A number for a question whose answer may be remembered. Others are about the processor that is asked: where it
/// stands among the others (leaves 1, 0xB, 0x1F, 0x8000_001E), and of which kind it is (0x1A); or nobody asks them
/// often.
fn key(leaf: u32, subleaf: u32) -> Option<u64> {
    let (base, number) = (leaf & 0x8000_0000, leaf & 0x7fff_ffff);
    let changes = matches!(leaf, 1 | 0xb | 0x1a | 0x1f | 0x8000_001e);
    // Without subleaves there is anything in that register.
    let has_none = matches!(leaf, 0 | 2 | 5 | 6 | 0x15 | 0x16 | 0x19 | 0x8000_0000..=0x8000_0008);
    let subleaf = if has_none { 0 } else { subleaf };
    let fits = number < 0x20 && subleaf < 0x40 && !changes;
    fits.then(|| u64::from(1 << 12 | (base >> 31) << 11 | number << 6 | subleaf))
}

/// How many leaves there are where this one is. None, if processors are of two kinds: their caches differ, too (leaf 7,
/// EDX, bit 15).
fn leaves(leaf: u32) -> u32 {
    let place = &LEAVES[(leaf >> 31) as usize];
    let known = place.load(Relaxed);
    if known != UNKNOWN {
        return known;
    }
    let base = leaf & 0x8000_0000;
    let is_hybrid = maximum_leaf(0) >= 7 && instructions::cpuid(7, 0).edx & (1 << 15) != 0;
    // Where there are none from there on, something else is said.
    let last = maximum_leaf(base).checked_sub(base).filter(|last| *last < 0x1000 && !is_hybrid);
    let count = last.map_or(0, |last| last + 1);
    place.store(count, Relaxed);
    count
}

impl Known {
    fn read(&self) -> CpuidResult {
        let [low, high] = [&self.values[0], &self.values[1]].map(|value| value.load(Relaxed));
        CpuidResult { eax: low as u32, ebx: (low >> 32) as u32, ecx: high as u32, edx: (high >> 32) as u32 }
    }

    fn write(&self, answer: CpuidResult) {
        let CpuidResult { eax, ebx, ecx, edx } = answer;
        self.values[0].store(u64::from(eax) | u64::from(ebx) << 32, Relaxed);
        self.values[1].store(u64::from(ecx) | u64::from(edx) << 32, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each question of programs, twice: what is remembered is what the processor says.
    #[test]
    fn what_is_remembered_is_what_the_processor_says() {
        let questions = (0..0x21).chain(0x8000_0000..0x8000_0021).chain([0x4000_0000, u32::MAX]);
        for leaf in questions.chain(0..0x21) {
            for subleaf in (0..6).chain([0x3f, 0x40, u32::MAX]) {
                let (ours, real) = (cpuid(leaf, subleaf), instructions::cpuid(leaf, subleaf));
                // Which processor it is may change from one to the next.
                if key(leaf, subleaf).is_some() && leaf & 0x7fff_ffff < leaves(leaf) {
                    assert_eq!(ours, real, "{leaf:#x} {subleaf}");
                }
            }
        }
    }

    /// As many as the processor has, unless it is of two kinds.
    #[test]
    fn leaves_that_there_are_not_are_asked_anew() {
        for base in [0, 0x8000_0000] {
            assert!([0, maximum_leaf(base) - base + 1].contains(&leaves(base)));
        }
    }

    #[test]
    fn what_is_about_one_processor_is_asked_anew() {
        for leaf in [1, 0xb, 0x1a, 0x1f, 0x8000_001e, 0x4000_0000, 0x20] {
            assert_eq!(key(leaf, 0), None, "{leaf:#x}");
        }
        let keys: std::collections::BTreeSet<u64> =
            (0..0x20).flat_map(|leaf| [leaf, leaf | 0x8000_0000]).filter_map(|leaf| key(leaf, 0)).collect();
        assert_eq!(keys.len(), 64 - 5);
        assert!(!keys.contains(&0) && !keys.contains(&TAKEN));
        assert_ne!(key(4, 1), key(4, 2));
        // No place is the first one of many.
        let mut counts = [0; PLACES];
        keys.iter().for_each(|&key| counts[place(key)] += 1);
        assert!(counts.iter().all(|&count| count <= TRIES / 2), "{counts:?}");
        assert_eq!(key(0, 1), key(0, 2));
        assert_eq!(key(9, 64), None);
    }
}
