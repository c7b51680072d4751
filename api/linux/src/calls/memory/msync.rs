//! msync(2): writes shared file pages back.

use kernel::memory::NotKept;
use linux_abi::{
    Errno,
    constants::{MS_ASYNC, MS_INVALIDATE, MS_SYNC},
};

use crate::{Call, Result, objects::mappings};

/// ENOSPC, EDQUOT or EIO if the file could not be written, EBUSY for invalidating what is locked. What MS_ASYNC asks
/// for is done at once.
pub fn msync(call: &mut Call) -> Result {
    let flags = call.unsigned(2);
    if flags & !(MS_ASYNC | MS_INVALIDATE | MS_SYNC) != 0 || flags & (MS_ASYNC | MS_SYNC) == MS_ASYNC | MS_SYNC {
        return Err(Errno::EINVAL);
    }
    let range = mappings::range(call.argument(0), call.argument(1))?;
    mappings::check_mapped(&range)?;
    if flags & MS_INVALIDATE != 0 && crate::space().is_locked(&range) {
        return Err(Errno::EBUSY);
    }
    crate::space().flush(&range).map(|()| 0).map_err(|error| match error {
        NotKept::NoRoom => Errno::ENOSPC,
        NotKept::NoQuota => Errno::EDQUOT,
        NotKept::Failed => Errno::EIO,
    })
}
