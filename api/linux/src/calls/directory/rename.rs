//! rename(2).

use linux_abi::constants::AT_FDCWD;

use super::renameat2;
use crate::{Call, Result};

/// Gives an entry another name or place.
pub fn rename(call: &mut Call) -> Result {
    renameat2::rename((AT_FDCWD, call.argument(0)), (AT_FDCWD, call.argument(1)), 0)
}
