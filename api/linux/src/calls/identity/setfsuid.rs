//! setfsuid(2): whose rights count for files.

use crate::{Call, Result};

/// Answers the id before; a wish that is not allowed changes nothing.
pub fn setfsuid(call: &mut Call) -> Result {
    let mut old = 0;
    crate::objects::identity::become_other(|identity| {
        old = identity.set_file_user(call.unsigned(0));
        Ok(())
    })?;
    Ok(old as usize)
}
