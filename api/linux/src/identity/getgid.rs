//! getgid(2): the real group id.

use crate::{Call, Result, process};

/// Never fails.
pub fn getgid(_: &mut Call) -> Result {
    Ok(process().identity.lock().group.real as usize)
}
