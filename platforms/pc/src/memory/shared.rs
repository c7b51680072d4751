//! Frames that several address spaces have, each for itself: copies that are made when somebody stores (fork(2)).
//!
//! The leaves that lead to such a frame have [`SHARED`] beside `OWNED`, and none is writable. A frame's count says how
//! many spaces have it beyond one. It only grows under the lock of a space that has the frame, so a space that finds 0
//! has it alone, and goes on to.

use alloc::{boxed::Box, vec::Vec};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use machine::{MemoryRefused, PAGE_SIZE};
use paging::Entry;
use sync::Mutex;

use super::{
    direct,
    space::several,
    tables::{copy_page, free_frames},
};

/// Another space may have the frame of this leaf.
pub const SHARED: u64 = Entry::AVAILABLE << 1;

/// Frames that have their counts in one block.
const BLOCK: usize = 1024;

/// Counts by the numbers of frames; blocks that have none yet are all 0.
static COUNTS: Mutex<Vec<Option<Box<[u16; BLOCK]>>>> = Mutex::new(Vec::new());
/// Whether a frame was ever shared.
static ANY: AtomicBool = AtomicBool::new(false);

/// One more space has this frame.
pub fn add(physical: usize) {
    let frame = physical / PAGE_SIZE;
    ANY.store(true, Relaxed);
    let mut counts = COUNTS.lock();
    if counts.len() <= frame / BLOCK {
        counts.resize_with(frame / BLOCK + 1, || None);
    }
    counts[frame / BLOCK].get_or_insert_with(|| Box::new([0; BLOCK]))[frame % BLOCK] += 1;
}

/// Whether only one space has this frame.
fn is_alone(physical: usize) -> bool {
    let frame = physical / PAGE_SIZE;
    let counts = COUNTS.lock();
    counts.get(frame / BLOCK).and_then(Option::as_ref).is_none_or(|block| block[frame % BLOCK] == 0)
}

/// A space has these frames no longer, and nothing remembers that it had; those that no other one has are given back.
#[inline]
pub fn give_back(physical: usize, count: usize) {
    if several() && ANY.load(Relaxed) {
        return give_back_each(physical, count);
    }
    free_frames(physical, count);
}

#[inline(never)]
fn give_back_each(physical: usize, count: usize) {
    for index in 0..count {
        let physical = physical + index * PAGE_SIZE;
        if !drop_one(physical / PAGE_SIZE) {
            free_frames(physical, 1);
        }
    }
}

/// One space less has the frame; `false` if it was the only one.
fn drop_one(frame: usize) -> bool {
    let mut counts = COUNTS.lock();
    let count = counts.get_mut(frame / BLOCK).and_then(Option::as_mut).map(|block| &mut block[frame % BLOCK]);
    let Some(count) = count.filter(|count| **count > 0) else { return false };
    *count -= 1;
    true
}

/// The leaf for a space that is about to store where it has `before`: its own frame, the same one if nobody else has it.
/// What it had is to be given back by the caller when it is forgotten.
#[cold]
pub fn own(before: Entry) -> Result<Entry, MemoryRefused> {
    let physical = before.address();
    if is_alone(physical) {
        return Ok(Entry(before.0 & !SHARED));
    }
    let frame = contracts::frames::allocate().ok_or(MemoryRefused::OutOfMemory)? * PAGE_SIZE;
    // SAFETY: the space has the frame until it is given back, nobody stores into it as long as it is shared, and the new
    // one is nobody else's.
    unsafe { copy_page(direct(physical), direct(frame)) };
    Ok(Entry(before.at(frame).0 & !SHARED))
}
