//! flistxattr(2).

use crate::{Call, Result, files};

/// No attributes.
pub fn flistxattr(call: &mut Call) -> Result {
    files::usable(call.int(0))?;
    Ok(0)
}
