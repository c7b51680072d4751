//! setfsgid(2): whose rights count for files.

use crate::{Call, Result};

/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsgid(call: &mut Call) -> Result {
    let mut identity = crate::state::identity();
    let privileged = identity.is_privileged();
    Ok(identity.group.set_file(call.unsigned(0), privileged) as usize)
}
