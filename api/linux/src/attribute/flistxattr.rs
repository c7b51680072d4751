//! flistxattr(2).

use crate::{Call, Result, files};

/// No attributes.
pub fn flistxattr(call: &mut Call) -> Result {
    files::using(call, |_, _| Ok(0))
}
