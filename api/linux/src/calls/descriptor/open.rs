//! open(2).

use linux_abi::constants::AT_FDCWD;

use super::openat;
use crate::{Call, Result};

/// Opens the file at a path.
pub fn open(call: &mut Call) -> Result {
    openat::open(AT_FDCWD, call.argument(0), call.unsigned(1), call.unsigned(2))
}
