//! faccessat(2), as the kernel has it: without flags.

use super::faccessat2;
use crate::{Call, Result};

/// As access, relative to a directory.
pub fn faccessat(call: &mut Call) -> Result {
    faccessat2::check(call.int(0), call.argument(1), call.unsigned(2), 0)
}
