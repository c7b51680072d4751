//! lremovexattr(2).

use linux_abi::constants::AT_SYMLINK_NOFOLLOW;

use super::extended;
use crate::{Call, Result};

/// Takes an attribute away of a link itself.
pub fn lremovexattr(call: &mut Call) -> Result {
    extended::remove_at(call, AT_SYMLINK_NOFOLLOW)
}
