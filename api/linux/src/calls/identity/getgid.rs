//! getgid(2): the real group id.

use crate::{Call, Result};

/// Never fails.
pub fn getgid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().group.real as usize)
}
