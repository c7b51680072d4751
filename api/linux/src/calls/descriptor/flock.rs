//! flock(2).

use linux_abi::{Errno, FileDescriptor, constants::FlockOperation};
use range_locks::{Held, Kind};

use crate::{
    Result,
    objects::{descriptors::locking, files},
};

/// Locks an open file against others of the same file.
pub fn flock(descriptor: FileDescriptor, operation: FlockOperation) -> Result {
    let description = &files::usable(descriptor)?;
    let waits = !operation.contains(FlockOperation::LOCK_NB);
    let operation = operation - FlockOperation::LOCK_NB;
    let wanted = Held {
        file: locking::file(description),
        kind: Kind::Whole,
        holder: locking::holder(description),
        write: operation == FlockOperation::LOCK_EX,
        start: 0,
        last: u64::MAX,
    };
    match operation {
        FlockOperation::LOCK_SH | FlockOperation::LOCK_EX => {
            // What was held goes first, as on Linux, also if the new lock is not given then.
            locking::LOCKS.unlock(&wanted);
            files::locking::lock(wanted, waits)
        }
        FlockOperation::LOCK_UN => {
            locking::LOCKS.unlock(&wanted);
            Ok(0)
        }
        _ => Err(Errno::EINVAL),
    }
}
