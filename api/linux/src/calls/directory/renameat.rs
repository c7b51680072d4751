//! renameat(2).

use super::renameat2;
use crate::{Call, Result};

/// As rename, relative to directories.
pub fn renameat(call: &mut Call) -> Result {
    renameat2::rename((call.int(0), call.argument(1)), (call.int(2), call.argument(3)), 0)
}
