//! geteuid(2): the effective user id.

use crate::{Call, Result, process};

/// Never fails.
pub fn geteuid(_: &mut Call) -> Result {
    Ok(process().identity.lock().user.effective as usize)
}
