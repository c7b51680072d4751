//! munlockall(2): lets all pages leave memory.

use crate::{Call, Result};

/// Neither those that are there are locked any more, nor those that come.
pub fn munlockall(_: &mut Call) -> Result {
    crate::space().unlock_all();
    Ok(0)
}
