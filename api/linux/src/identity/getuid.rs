//! getuid(2): the real user id.

use crate::{Call, Result, process};

/// Never fails.
pub fn getuid(_: &mut Call) -> Result {
    Ok(process().identity.lock().user.real as usize)
}
