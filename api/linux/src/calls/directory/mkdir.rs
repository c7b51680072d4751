//! mkdir(2).

use linux_abi::constants::AT_FDCWD;

use super::mkdirat;
use crate::{Call, Result};

/// Makes a directory.
pub fn mkdir(call: &mut Call) -> Result {
    mkdirat::make(AT_FDCWD, call.argument(0), call.unsigned(1))
}
