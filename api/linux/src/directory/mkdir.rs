//! mkdir(2).

use linux_abi::constants::AT_FDCWD;

use crate::{Call, Result, directory::mkdirat};

/// Makes a directory.
pub fn mkdir(call: &mut Call) -> Result {
    mkdirat::make(AT_FDCWD, call.argument(0), call.unsigned(1))
}
