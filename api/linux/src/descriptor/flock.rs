//! flock(2).

use linux_abi::{
    Errno,
    constants::{LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN},
};

use crate::{Call, Result, files};

/// Locks an open file. With one process, only another open file of the same process could be in the way, and a
/// program that locks against itself is not helped: the lock is granted.
pub fn flock(call: &mut Call) -> Result {
    files::using(call, |call, _| match call.unsigned(1) & !LOCK_NB {
        LOCK_SH | LOCK_EX | LOCK_UN => Ok(0),
        _ => Err(Errno::EINVAL),
    })
}
