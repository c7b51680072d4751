//! getuid(2): the real user id.

use crate::{Call, Result};

/// Never fails.
pub fn getuid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().user.real as usize)
}
