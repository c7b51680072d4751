//! setresgid(2): sets real, effective and saved group id.

use super::wish;
use crate::{Call, Result};

/// EPERM for an unprivileged process and an id that is not its own.
pub fn setresgid(call: &mut Call) -> Result {
    let wanted = [0, 1, 2].map(|index| wish(call.unsigned(index)));
    crate::objects::identity::become_other(|identity| {
        identity.change_group(|group, privileged| group.set_all(wanted, privileged))
    })
}
