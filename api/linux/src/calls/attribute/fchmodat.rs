//! fchmodat(2), as the kernel has it: without flags.

use super::fchmodat2;
use crate::{Call, Result};

/// As chmod, relative to a directory.
pub fn fchmodat(call: &mut Call) -> Result {
    fchmodat2::by_path(call.int(0), call.argument(1), call.unsigned(2), 0)
}
