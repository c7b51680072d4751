//! geteuid(2): the effective user id.

use crate::{Call, Result};

/// Never fails.
pub fn geteuid(_: &mut Call) -> Result {
    Ok(crate::objects::process::identity().user.effective as usize)
}
