//! creat(2).

use linux_abi::constants::{AT_FDCWD, O_CREAT, O_TRUNC, O_WRONLY};

use super::openat;
use crate::{Call, Result};

/// Opens a file for writing, new or emptied.
pub fn creat(call: &mut Call) -> Result {
    openat::open(AT_FDCWD, call.argument(0), O_CREAT | O_WRONLY | O_TRUNC, call.unsigned(1))
}
