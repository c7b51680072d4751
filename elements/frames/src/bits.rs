//! Ranges of bits in words.

use core::ops::Range;

pub const BITS: usize = u64::BITS as usize;

/// Calls `each` with a word's index and the mask of its bits inside `range`, in ascending order, until it answers
/// `false`.
#[inline(always)]
fn masks(range: Range<usize>, mut each: impl FnMut(usize, u64) -> bool) {
    let mut index = range.start;
    while index < range.end {
        let bit = index % BITS;
        let here = (BITS - bit).min(range.end - index);
        if !each(index / BITS, u64::MAX >> (BITS - here) << bit) {
            return;
        }
        index += here;
    }
}

pub fn set(words: &mut [u64], range: Range<usize>) {
    masks(range, |word, mask| {
        words[word] |= mask;
        true
    });
}

pub fn clear(words: &mut [u64], range: Range<usize>) {
    masks(range, |word, mask| {
        words[word] &= !mask;
        true
    });
}

pub fn is_set(words: &[u64], index: usize) -> bool {
    words[index / BITS] >> (index % BITS) & 1 == 1
}

/// The last bit in `range` that is set.
pub fn last_set(words: &[u64], range: Range<usize>) -> Option<usize> {
    let mut found = None;
    masks(range, |word, mask| {
        let set = words[word] & mask;
        if set != 0 {
            found = Some(word * BITS + BITS - 1 - set.leading_zeros() as usize);
        }
        true
    });
    found
}

/// The first bit in `range` that is clear.
pub fn first_clear(words: &[u64], range: Range<usize>) -> Option<usize> {
    let mut found = None;
    masks(range, |word, mask| {
        let clear = !words[word] & mask;
        if clear != 0 {
            found = Some(word * BITS + clear.trailing_zeros() as usize);
        }
        clear == 0
    });
    found
}
