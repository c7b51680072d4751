//! getuid(2): the real user id.

use crate::{Call, Result};

/// Never fails.
pub fn getuid(_: &mut Call) -> Result {
    Ok(crate::state::identity().user.real as usize)
}
