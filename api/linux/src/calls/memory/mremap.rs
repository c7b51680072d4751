//! mremap(2): resizes and moves a mapping.

use kernel::memory::{Left, MemoryError, Move};
use linux_abi::{
    Errno,
    constants::{MREMAP_DONTUNMAP, MREMAP_FIXED, MREMAP_MAYMOVE},
};
use machine::{PAGE_SIZE, page_align_up};

use super::mlock;
use crate::objects::mappings;
use crate::{Call, Result, objects::ability};

/// Answers the mapping's address.
pub fn mremap(call: &mut Call) -> Result {
    let movement = movement(call)?;
    let new_length = page_align_up(call.argument(2)).filter(|&length| length > 0).ok_or(Errno::EINVAL)?;
    let old = mappings::range(call.argument(0), call.argument(1)).map_err(|_| Errno::EINVAL)?;
    let leaves_empty = matches!(movement, Move::LeaveEmpty | Move::To(_, Left::Empty));
    if leaves_empty && old.len() != new_length {
        return Err(Errno::EINVAL);
    }
    if old.is_empty() {
        kernel::debug!("mremap: a second mapping of shared memory is not there: EINVAL");
        return Err(Errno::EINVAL);
    }
    let space = crate::space();
    if new_length > old.len() && ability::lock_memory() && space.is_locked(&(old.start..old.start + PAGE_SIZE)) {
        mlock::may_lock(new_length - old.len())?;
    }
    space.remap(old, new_length, movement).map_err(|error| match error {
        MemoryError::NotMapped => Errno::EFAULT,
        MemoryError::BadRange => Errno::EINVAL,
        other => mappings::errno(other),
    })
}

/// What the flags ask for: moving to an address or leaving the old one mapped are ways of moving.
fn movement(call: &Call) -> core::result::Result<Move, Errno> {
    let (flags, target) = (call.unsigned(3), call.argument(4));
    let (moves, fixed, leaves) =
        (flags & MREMAP_MAYMOVE != 0, flags & MREMAP_FIXED != 0, flags & MREMAP_DONTUNMAP != 0);
    let known = flags & !(MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP) == 0;
    if !known || (fixed || leaves) && !moves || fixed && !target.is_multiple_of(PAGE_SIZE) {
        return Err(Errno::EINVAL);
    }
    Ok(match (fixed, leaves) {
        (true, true) => Move::To(target, Left::Empty),
        (true, false) => Move::To(target, Left::Nothing),
        (false, true) => Move::LeaveEmpty,
        (false, false) if moves => Move::IfNeeded,
        (false, false) => Move::No,
    })
}
