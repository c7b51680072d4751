//! access(2).

use linux_abi::constants::AT_FDCWD;

use super::faccessat2;
use crate::{Call, Result};

/// Whether the process may, with its real ids.
pub fn access(call: &mut Call) -> Result {
    faccessat2::check(AT_FDCWD, call.argument(0), call.unsigned(1), 0)
}
