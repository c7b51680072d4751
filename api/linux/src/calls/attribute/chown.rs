//! chown(2).

use linux_abi::constants::AT_FDCWD;

use super::fchownat;
use crate::{Call, Result};

/// Changes whose the file at a path is.
pub fn chown(call: &mut Call) -> Result {
    fchownat::by_path(AT_FDCWD, call.argument(0), [call.unsigned(1), call.unsigned(2)], 0)
}
