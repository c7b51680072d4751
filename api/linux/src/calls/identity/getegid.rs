//! getegid(2): the effective group id.

use crate::{Call, Result};

/// Never fails.
pub fn getegid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().group.effective as usize)
}
