//! close_range(2).

use alloc::vec::Vec;

use linux_abi::{
    Errno,
    constants::{CLOSE_RANGE_CLOEXEC, CLOSE_RANGE_UNSHARE},
};

use crate::{Call, Result};

/// Closes all descriptors from the first to the last named, or marks them to be closed by execve.
pub fn close_range(call: &mut Call) -> Result {
    let (first, last, flags) = (call.unsigned(0), call.unsigned(1), call.unsigned(2));
    if first > last || flags & !(CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC) != 0 {
        return Err(Errno::EINVAL);
    }
    let mut closed = Vec::new();
    {
        let mut files = crate::state::descriptors();
        let range = first as usize..=last as usize;
        let numbers: Vec<usize> = files.numbers().filter(|number| range.contains(number)).collect();
        for number in numbers {
            if flags & CLOSE_RANGE_CLOEXEC != 0 {
                files.set_close_on_exec(number as i32, true)?;
            } else {
                closed.push(files.remove(number as i32)?);
            }
        }
    }
    Ok(0)
}
