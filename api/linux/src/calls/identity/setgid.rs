//! setgid(2): becomes another group.

use super::required;
use crate::{Call, Result};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setgid(call: &mut Call) -> Result {
    let id = required(call.unsigned(0))?;
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set(id, privileged))
    })
}
