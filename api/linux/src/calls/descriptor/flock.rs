//! flock(2).

use linux_abi::{
    Errno,
    constants::{LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN},
};
use vfs::locks::{Held, Kind};

use crate::{
    Call, Result,
    objects::{descriptors::locking, files},
};

/// Locks an open file against others of the same file.
pub fn flock(call: &mut Call) -> Result {
    files::using(call, |call, description| {
        let operation = call.unsigned(1) & !LOCK_NB;
        let wanted = Held {
            file: locking::file(description),
            kind: Kind::Whole,
            holder: locking::holder(description),
            write: operation == LOCK_EX,
            start: 0,
            last: u64::MAX,
        };
        match operation {
            LOCK_SH | LOCK_EX => {
                // What was held goes first, as on Linux, also if the new lock is not given then.
                locking::LOCKS.unlock(&wanted);
                files::locking::lock(wanted, call.unsigned(1) & LOCK_NB == 0)
            }
            LOCK_UN => {
                locking::LOCKS.unlock(&wanted);
                Ok(0)
            }
            _ => Err(Errno::EINVAL),
        }
    })
}
