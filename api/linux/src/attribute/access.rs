//! access(2).

use linux_abi::constants::AT_FDCWD;

use crate::{Call, Result, attribute::faccessat2};

/// Whether the process may, with its real ids.
pub fn access(call: &mut Call) -> Result {
    faccessat2::check(AT_FDCWD, call.argument(0), call.unsigned(1), 0)
}
