//! setresgid(2): sets real, effective and saved group id.

use linux_abi::Errno;

use crate::{Call, Result, identity::wish};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresgid(call: &mut Call) -> Result {
    let wanted = [0, 1, 2].map(|index| wish(call.unsigned(index)));
    let mut identity = crate::state::identity();
    let privileged = identity.is_privileged();
    identity.group.set_all(wanted, privileged).map_err(|_| Errno::EPERM)?;
    Ok(0)
}
