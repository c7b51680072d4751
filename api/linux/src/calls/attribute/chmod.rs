//! chmod(2).

use linux_abi::constants::AT_FDCWD;

use super::fchmodat2;
use crate::{Call, Result};

/// Changes the permissions of the file at a path.
pub fn chmod(call: &mut Call) -> Result {
    fchmodat2::by_path(AT_FDCWD, call.argument(0), call.unsigned(1), 0)
}
