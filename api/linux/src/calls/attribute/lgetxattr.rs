//! lgetxattr(2).

use linux_abi::constants::AT_SYMLINK_NOFOLLOW;

use super::extended;
use crate::{Call, Result};

/// The value of an attribute of a link itself.
pub fn lgetxattr(call: &mut Call) -> Result {
    extended::ask_at(call, AT_SYMLINK_NOFOLLOW, extended::get)
}
