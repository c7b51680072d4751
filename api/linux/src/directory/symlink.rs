//! symlink(2).

use linux_abi::constants::AT_FDCWD;

use crate::{Call, Result, directory::symlinkat};

/// Makes a symbolic link.
pub fn symlink(call: &mut Call) -> Result {
    symlinkat::make(call.argument(0), AT_FDCWD, call.argument(1))
}
