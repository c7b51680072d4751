//! msync(2): writes shared file pages back.

use kernel::memory::NotKept;
use linux_abi::{Errno, constants::SyncFlags};

use crate::{Result, objects::mappings};

/// ENOSPC, EDQUOT or EIO if the file could not be written, EBUSY for invalidating what is locked. What MS_ASYNC asks
/// for is done at once.
pub fn msync(address: usize, length: usize, flags: SyncFlags) -> Result {
    if !SyncFlags::NAMED.contains(flags) || flags.contains(SyncFlags::MS_ASYNC | SyncFlags::MS_SYNC) {
        return Err(Errno::EINVAL);
    }
    let range = mappings::range(address, length)?;
    mappings::check_mapped(&range)?;
    if flags.contains(SyncFlags::MS_INVALIDATE) && crate::space().is_locked(&range) {
        return Err(Errno::EBUSY);
    }
    crate::space().flush(&range).map(|()| 0).map_err(|error| match error {
        NotKept::NoRoom => Errno::ENOSPC,
        NotKept::NoQuota => Errno::EDQUOT,
        NotKept::Failed => Errno::EIO,
    })
}
