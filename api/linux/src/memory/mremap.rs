//! mremap(2): resizes and moves a mapping.

use kernel::memory::MemoryError;
use linux_abi::{
    Errno,
    constants::{MREMAP_DONTUNMAP, MREMAP_FIXED, MREMAP_MAYMOVE},
};
use machine::{PAGE_SIZE, page_align_up};

use crate::{Call, Result, memory::arguments};

/// Answers the mapping's address.
pub fn mremap(call: &mut Call) -> Result {
    let flags = call.unsigned(3);
    let may_move = flags & MREMAP_MAYMOVE != 0;
    let fixed = (flags & MREMAP_FIXED != 0).then(|| call.argument(4));
    if flags & !(MREMAP_MAYMOVE | MREMAP_FIXED) != 0 {
        if flags & MREMAP_DONTUNMAP != 0 {
            kernel::debug!("mremap: MREMAP_DONTUNMAP is not there: EINVAL");
        }
        return Err(Errno::EINVAL);
    }
    if fixed.is_some_and(|address| !may_move || !address.is_multiple_of(PAGE_SIZE)) {
        return Err(Errno::EINVAL);
    }
    let new_length = page_align_up(call.argument(2)).filter(|&length| length > 0).ok_or(Errno::EINVAL)?;
    let old = arguments::range(call.argument(0), call.argument(1)).map_err(|_| Errno::EINVAL)?;
    if old.is_empty() {
        kernel::debug!("mremap: a second mapping of shared memory is not there: EINVAL");
        return Err(Errno::EINVAL);
    }
    crate::space().remap(old, new_length, may_move, fixed).map_err(|error| match error {
        MemoryError::NotMapped => Errno::EFAULT,
        MemoryError::BadRange => Errno::EINVAL,
        other => arguments::errno(other),
    })
}
