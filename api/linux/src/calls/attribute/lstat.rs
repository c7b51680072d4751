//! lstat(2).

use linux_abi::constants::{AT_FDCWD, AT_SYMLINK_NOFOLLOW};

use super::newfstatat;
use crate::{Call, Result};

/// As stat, but of a link itself.
pub fn lstat(call: &mut Call) -> Result {
    newfstatat::by_path(AT_FDCWD, call.argument(0), call.argument(1), AT_SYMLINK_NOFOLLOW)
}
