//! stat(2).

use linux_abi::constants::AT_FDCWD;

use super::newfstatat;
use crate::{Call, Result};

/// The status of the file at a path.
pub fn stat(call: &mut Call) -> Result {
    newfstatat::by_path(AT_FDCWD, call.argument(0), call.argument(1), 0)
}
