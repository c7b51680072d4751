//! The host's mappings: a process may have so many (`vm.max_map_count`, 65,530 as a rule), and some are held back.
//!
//! What a program asks for may be refused: Linux' own answer is ENOMEM. A page fault, the end of a mapping and the
//! kernel's own needs may not. So before there can be too many, pages of changing protection are laid down, each of
//! which is a mapping to the host; whoever must have one has these taken away, and the program's next wish lays them
//! again or is refused.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use machine::{MemoryRefused, PAGE_SIZE, PageRange, Protection};
use sync::Mutex;

use super::{
    arena::{ARENA, For},
    spaces,
    translations::refused,
};
use crate::host::{HostError, memory};

/// Mappings held back.
const HELD: usize = 128;

/// Calls from which on they are: each makes two mappings at most.
const MANY: usize = 16_000;

/// What is known of how many mappings a process of the host's has.
#[derive(Debug)]
pub struct Count {
    /// Calls that may have made mappings.
    calls: AtomicUsize,
    /// Whether the pages are laid.
    laid: Mutex<bool>,
}

impl Count {
    /// Of a process that has few.
    pub const fn new() -> Self {
        Self { calls: AtomicUsize::new(0), laid: Mutex::new(false) }
    }

    /// It is one of a copy of the process that `other` is about.
    pub fn inherit(&self, other: &Self) {
        self.calls.store(other.calls.load(Relaxed), Relaxed);
        *self.laid.lock() = *other.laid.lock();
    }

    /// All of the program's have gone.
    pub fn begin_anew(&self) {
        self.calls.store(0, Relaxed);
    }
}

/// Where the pages are to lie; 0 as long as they have no place.
static PLACE: AtomicUsize = AtomicUsize::new(0);

/// The program wishes something that may make mappings: an error if none could be held back for the kernel then.
pub fn wish() -> Result<(), MemoryRefused> {
    if count() < MANY { Ok(()) } else { lay() }
}

/// What must not fail for want of a mapping.
pub fn insist<R>(work: impl Fn() -> Result<R, HostError>) -> Result<R, HostError> {
    if count() == MANY {
        // If there are too many already, the first wish finds out.
        let _ = lay();
    }
    match work() {
        Err(HostError::NO_MEMORY) if take_away() => work(),
        result => result,
    }
}

/// Counts a call, some of those that several processors make at once; how many there were.
fn count() -> usize {
    let count = &spaces::here().mappings.calls;
    let calls = count.load(Relaxed);
    count.store(calls.saturating_add(1), Relaxed);
    calls
}

/// Where the pages are, or are to be laid.
pub fn range() -> Option<PageRange> {
    const LENGTH: usize = HELD * PAGE_SIZE;
    let mut place = PLACE.load(Relaxed);
    if place == 0 {
        place = ARENA.lock().take(LENGTH, For::Seldom)?;
        PLACE.store(place, Relaxed);
    }
    Some(place..place + LENGTH)
}

fn lay() -> Result<(), MemoryRefused> {
    let range = range().ok_or(MemoryRefused::OutOfMemory)?;
    let mut laid = spaces::here().mappings.laid.lock();
    if !*laid {
        if let Err(error) = alternate(&range) {
            // SAFETY: nothing of Rust's lies there.
            let _ = unsafe { memory::unmap(&range) };
            return Err(refused(error));
        }
        *laid = true;
    }
    Ok(())
}

/// Maps pages whose neighbours the host cannot join to them.
fn alternate(range: &PageRange) -> Result<(), HostError> {
    memory::map_at(range, Protection::default(), memory::Contents::Zero)?;
    let read = Protection { read: true, ..Protection::default() };
    for page in range.clone().step_by(2 * PAGE_SIZE) {
        // SAFETY: nothing of Rust's lies there.
        unsafe { memory::protect(&(page..page + PAGE_SIZE), read) }?;
    }
    Ok(())
}

/// Makes room for [`HELD`] mappings; `false` if that was done before.
fn take_away() -> bool {
    let Some(range) = range() else { return false };
    let mut laid = spaces::here().mappings.laid.lock();
    // SAFETY: nothing of Rust's lies there.
    core::mem::take(&mut *laid) && unsafe { memory::unmap(&range) }.is_ok()
}
