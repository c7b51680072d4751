//! unlink(2).

use linux_abi::constants::AT_FDCWD;

use super::unlinkat;
use crate::{Call, Result};

/// Removes a name that is no directory's.
pub fn unlink(call: &mut Call) -> Result {
    unlinkat::remove(AT_FDCWD, call.argument(0), false)
}
