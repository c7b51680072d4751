//! setreuid(2): sets real and effective user id.

use super::wish;
use crate::{Call, Result};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setreuid(call: &mut Call) -> Result {
    let wanted = [0, 1].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_user(|user, privileged| user.set_two(wanted, privileged))
    })
}
