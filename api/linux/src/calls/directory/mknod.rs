//! mknod(2).

use linux_abi::constants::AT_FDCWD;

use super::mknodat;
use crate::{Call, Result};

/// Makes a file of any kind.
pub fn mknod(call: &mut Call) -> Result {
    mknodat::make(AT_FDCWD, call.argument(0), call.unsigned(1), call.argument(2) as u64)
}
