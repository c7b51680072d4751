//! llistxattr(2).

use linux_abi::constants::AT_SYMLINK_NOFOLLOW;

use super::extended;
use crate::{Call, Result};

/// The names of all attributes of a link itself.
pub fn llistxattr(call: &mut Call) -> Result {
    extended::ask_at(call, AT_SYMLINK_NOFOLLOW, extended::list)
}
