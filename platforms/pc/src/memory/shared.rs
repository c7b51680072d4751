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
/// The leaf is [`SHARED`], and for that alone not writable.
const STORABLE: u64 = Entry::AVAILABLE << 2;

/// Frames that have their counts in one block.
const BLOCK: usize = 1024;

/// Beside a frame's count: while it was shared, a space stored into it and so had to copy it.
const WAS_COPIED: u16 = 1 << 15;

/// Counts by the numbers of frames; blocks that have none yet are all 0.
static COUNTS: Mutex<Vec<Option<Box<[u16; BLOCK]>>>> = Mutex::new(Vec::new());
/// Whether a frame was ever shared.
static ANY: AtomicBool = AtomicBool::new(false);

/// This leaf where another space may have the frame too.
pub const fn shared(leaf: Entry) -> Entry {
    let storable = if leaf.has(Entry::WRITABLE) { STORABLE } else { 0 };
    Entry(leaf.0 & !Entry::WRITABLE | storable | SHARED)
}

/// This leaf where its space has the frame alone.
pub const fn unshared(leaf: Entry) -> Entry {
    let writable = if leaf.has(STORABLE) { Entry::WRITABLE } else { 0 };
    Entry(leaf.0 & !(SHARED | STORABLE) | writable)
}

/// One more space has this frame; but not, and the answer is `false`, if `unless_copied` and one had to copy it.
pub fn add(physical: usize, unless_copied: bool) -> bool {
    let frame = physical / PAGE_SIZE;
    ANY.store(true, Relaxed);
    let mut counts = COUNTS.lock();
    if counts.len() <= frame / BLOCK {
        counts.resize_with(frame / BLOCK + 1, || None);
    }
    let count = &mut counts[frame / BLOCK].get_or_insert_with(|| Box::new([0; BLOCK]))[frame % BLOCK];
    let is_added = !unless_copied || *count & WAS_COPIED == 0;
    *count += u16::from(is_added);
    is_added
}

/// Whether only one space has this frame; if not, the asker is about to copy it.
fn is_alone(physical: usize) -> bool {
    let frame = physical / PAGE_SIZE;
    let mut counts = COUNTS.lock();
    let Some(block) = counts.get_mut(frame / BLOCK).and_then(Option::as_mut) else { return true };
    let count = &mut block[frame % BLOCK];
    let is_alone = *count & !WAS_COPIED == 0;
    if !is_alone {
        *count |= WAS_COPIED;
    }
    is_alone
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
    let Some(count) = count else { return false };
    let is_shared = *count & !WAS_COPIED != 0;
    *count = if is_shared { *count - 1 } else { 0 };
    is_shared
}

/// The leaf for a space that is about to store where it has `before`: its own frame, the same one if nobody else has
/// it. What it had is to be given back by the caller when it is forgotten.
#[cold]
pub fn own(before: Entry) -> Result<Entry, MemoryRefused> {
    let physical = before.address();
    if is_alone(physical) {
        return Ok(unshared(before));
    }
    let frame = contracts::frames::allocate().ok_or(MemoryRefused::OutOfMemory)? * PAGE_SIZE;
    // SAFETY: the space has the frame until it is given back, nobody stores into it as long as it is shared, and the
    // new one is nobody else's.
    unsafe { copy_page(direct(physical), direct(frame)) };
    Ok(unshared(before.at(frame)))
}
