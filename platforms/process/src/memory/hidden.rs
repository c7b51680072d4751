//! Which pages of a private mapping are still the file's, by proc_pid_pagemap(5).

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use machine::{PAGE_SIZE, PageRange};

use super::spaces::{self, OwnFile};
use crate::host::files::{self, OWN_FILES};

/// How often pages were taken away.
static TIMES: AtomicUsize = AtomicUsize::new(0);

/// Bits of a page's word: it is in memory, it is in swap, it is a file's and not a private copy.
const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
const OF_FILE: u64 = 1 << 61;

/// A page's word, and those that are read at once.
const WORD: usize = size_of::<u64>();
const CHUNK: usize = 256;

/// How often somebody had pages taken away: who has found pages there asks before and after.
pub fn times() -> usize {
    TIMES.load(Relaxed)
}

/// Has `take` take those parts of `range` away that nobody has stored into.
pub fn hide(range: &PageRange, take: &mut dyn FnMut(PageRange)) {
    let mut buffer = [0; CHUNK * WORD];
    let mut run = range.start..range.start;
    let mut at = range.start;
    while at < range.end {
        let count = words(at, (range.end - at) / PAGE_SIZE, &mut buffer);
        if count == 0 {
            // What cannot be told apart stays.
            return;
        }
        for word in buffer[..count * WORD].as_chunks::<WORD>().0 {
            if is_copy(u64::from_le_bytes(*word)) {
                finish(&run, take);
                run = at + PAGE_SIZE..at + PAGE_SIZE;
            } else {
                run.end = at + PAGE_SIZE;
            }
            at += PAGE_SIZE;
        }
    }
    finish(&run, take);
}

/// One more time.
pub fn note() {
    TIMES.store(TIMES.load(Relaxed).wrapping_add(1), Relaxed);
}

fn finish(run: &PageRange, take: &mut dyn FnMut(PageRange)) {
    if !run.is_empty() {
        take(run.clone());
    }
}

const fn is_copy(word: u64) -> bool {
    word & THERE != 0 && word & OF_FILE == 0
}

/// Reads the words of at most `most` pages from `address` on; how many.
fn words(address: usize, most: usize, buffer: &mut [u8; CHUNK * WORD]) -> usize {
    let Some(descriptor) = descriptor() else { return 0 };
    let length = most.min(CHUNK) * WORD;
    files::read_at(descriptor, &mut buffer[..length], address / PAGE_SIZE * WORD).unwrap_or(0) / WORD
}

/// `/proc/self/pagemap` of the space that the processor is in, opened at the first question.
pub fn descriptor() -> Option<i32> {
    spaces::here().file(OwnFile::Pages, || files::open_own(&OWN_FILES.pages).ok())
}

/// A page that is somewhere, as its word says.
pub const THERE: u64 = PRESENT | SWAPPED;

/// Reads the words of some pages from `address` on; how many.
pub fn read_words(descriptor: i32, address: usize, words: &mut [u64]) -> Option<usize> {
    let length = size_of_val(words);
    // SAFETY: words are bytes without gaps, and any bytes are words.
    let bytes = unsafe { core::slice::from_raw_parts_mut(words.as_mut_ptr().cast::<u8>(), length) };
    let count = files::read_at(descriptor, bytes, address / PAGE_SIZE * WORD).ok()? / WORD;
    (count != 0).then_some(count)
}
