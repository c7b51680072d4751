//! setgroups(2): sets the supplementary groups.

use linux_abi::Errno;

use crate::{Call, Result, process, user};

/// Most groups (NGROUPS_MAX).
const MAX_GROUPS: usize = 65536;

/// EPERM for an unprivileged process.
pub fn setgroups(call: &mut Call) -> Result {
    if !process().identity.lock().is_privileged() {
        return Err(Errno::EPERM);
    }
    let size = usize::try_from(call.int(0)).ok().filter(|&size| size <= MAX_GROUPS).ok_or(Errno::EINVAL)?;
    let groups = user::read_array(call.argument(1), size)?;
    process().identity.lock().groups = groups;
    Ok(0)
}
