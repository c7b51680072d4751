//! umask(2).

use crate::{Call, Result};

/// Sets what new files do not get; answers what it was.
pub fn umask(call: &mut Call) -> Result {
    let mut location = crate::objects::process::location();
    let old = core::mem::replace(&mut location.umask, call.unsigned(0) & 0o777);
    Ok(old as usize)
}
