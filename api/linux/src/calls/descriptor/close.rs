//! close(2).

use crate::objects::files;
use crate::{Call, Result};

/// Gives a descriptor back.
pub fn close(call: &mut Call) -> Result {
    // Dropped when the table is no longer locked: the last user of a pipe's end closes it here.
    let closed = crate::objects::process::descriptors().remove(call.int(0))?;
    files::locking::closed(closed);
    Ok(0)
}
