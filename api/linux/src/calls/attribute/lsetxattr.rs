//! lsetxattr(2).

use linux_abi::constants::AT_SYMLINK_NOFOLLOW;

use super::extended;
use crate::{Call, Result};

/// Sets an attribute of a link itself.
pub fn lsetxattr(call: &mut Call) -> Result {
    extended::set_at(call, AT_SYMLINK_NOFOLLOW)
}
