//! syncfs(2).

use crate::{Call, Result, files};

/// As sync, for a descriptor that must be open.
pub fn syncfs(call: &mut Call) -> Result {
    files::usable(call.int(0))?;
    Ok(0)
}
