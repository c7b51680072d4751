//! setuid(2): becomes another user.

use linux_abi::Errno;

use crate::{Call, Result, identity::required};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setuid(call: &mut Call) -> Result {
    let id = required(call.unsigned(0))?;
    let mut identity = crate::state::identity();
    let privileged = identity.is_privileged();
    identity.user.set(id, privileged).map_err(|_| Errno::EPERM)?;
    Ok(0)
}
