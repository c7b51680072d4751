//! setuid(2): becomes another user.

use super::required;
use crate::{Call, Result};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setuid(call: &mut Call) -> Result {
    let id = required(call.unsigned(0))?;
    crate::objects::identity::become_other(|identity| identity.change_user(|user, privileged| user.set(id, privileged)))
}
