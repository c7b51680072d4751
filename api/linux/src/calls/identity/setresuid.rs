//! setresuid(2): sets real, effective and saved user id.

use super::wish;
use crate::{Call, Result};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresuid(call: &mut Call) -> Result {
    let wanted = [0, 1, 2].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_all(wanted, privileged))
    })
}
