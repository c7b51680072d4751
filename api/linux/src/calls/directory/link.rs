//! link(2).

use linux_abi::constants::AT_FDCWD;

use super::linkat;
use crate::{Call, Result};

/// Gives a file one more name.
pub fn link(call: &mut Call) -> Result {
    linkat::make((AT_FDCWD, call.argument(0)), (AT_FDCWD, call.argument(1)), 0)
}
