//! brk(2): moves the program break.

use kernel::memory::AddressSpace;
use machine::{page_align_down, page_align_up};

use super::lock;
use crate::{Result, objects::ability};

/// Answers the break now in force; never an error.
pub fn brk(address: usize) -> Result {
    let (space, wanted) = (crate::space(), address);
    Ok(if ability::lock_memory() && space.locks_new() { lock(space, wanted) } else { space.program_break(wanted) })
}

/// Moves it no further than memory may be locked, which what is new is (MCL_FUTURE).
#[cold]
#[inline(never)]
fn lock(space: &AddressSpace, wanted: usize) -> usize {
    let before = space.program_break(0);
    if wanted > before && lock::may_lock(wanted - before).is_err() {
        return before;
    }
    let now = space.program_break(wanted);
    if now > before && space.brings_new() {
        space.fault_in(page_align_down(before)..page_align_up(now).unwrap_or(now));
    }
    now
}
