//! symlink(2).

use linux_abi::constants::AT_FDCWD;

use super::symlinkat;
use crate::{Call, Result};

/// Makes a symbolic link.
pub fn symlink(call: &mut Call) -> Result {
    symlinkat::make(call.argument(0), AT_FDCWD, call.argument(1))
}
