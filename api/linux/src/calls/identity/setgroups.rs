//! setgroups(2): sets the supplementary groups.

use identity::Capability;
use linux_abi::Errno;

use crate::{Call, Result, objects::user};

/// Most groups (NGROUPS_MAX).
const MAX_GROUPS: usize = 65536;

/// EPERM for an unprivileged process.
pub fn setgroups(call: &mut Call) -> Result {
    if !crate::objects::process::may(Capability::Setgid) {
        return Err(Errno::EPERM);
    }
    let size = usize::try_from(call.int(0)).ok().filter(|&size| size <= MAX_GROUPS).ok_or(Errno::EINVAL)?;
    let groups = user::read_array(call.argument(1), size)?;
    crate::objects::process::identity().groups = groups;
    Ok(0)
}
