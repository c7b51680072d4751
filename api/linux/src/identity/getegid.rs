//! getegid(2): the effective group id.

use crate::{Call, Result, process};

/// Never fails.
pub fn getegid(_: &mut Call) -> Result {
    Ok(process().identity.lock().group.effective as usize)
}
