//! setregid(2): sets real and effective group id.

use linux_abi::Errno;

use crate::{Call, Result, identity::wish};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setregid(call: &mut Call) -> Result {
    let wanted = [0, 1].map(|index| wish(call.unsigned(index)));
    let mut identity = crate::state::identity();
    let privileged = identity.is_privileged();
    identity.group.set_two(wanted, privileged).map_err(|_| Errno::EPERM)?;
    Ok(0)
}
