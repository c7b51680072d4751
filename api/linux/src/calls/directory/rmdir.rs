//! rmdir(2).

use linux_abi::constants::AT_FDCWD;

use super::unlinkat;
use crate::{Call, Result};

/// Removes an empty directory.
pub fn rmdir(call: &mut Call) -> Result {
    unlinkat::remove(AT_FDCWD, call.argument(0), true)
}
