//! open(2).

use linux_abi::constants::AT_FDCWD;

use crate::{Call, Result, descriptor::openat};

/// Opens the file at a path.
pub fn open(call: &mut Call) -> Result {
    openat::open(AT_FDCWD, call.argument(0), call.unsigned(1), call.unsigned(2))
}
