//! setfsgid(2): whose rights count for files.

use crate::{Call, Result};

/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsgid(call: &mut Call) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.change_group(|group, privileged| group.set_file(call.unsigned(0), privileged));
        Ok(())
    })?;
    Ok(old as usize)
}
