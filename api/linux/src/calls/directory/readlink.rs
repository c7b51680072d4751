//! readlink(2).

use linux_abi::constants::AT_FDCWD;

use super::readlinkat;
use crate::{Call, Result};

/// What a symbolic link says.
pub fn readlink(call: &mut Call) -> Result {
    readlinkat::read(AT_FDCWD, call.argument(0), call.argument(1), call.int(2))
}
