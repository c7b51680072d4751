//! dup(2).

use crate::{Call, Result, objects::files};

/// A second descriptor for an open file, the lowest free one.
pub fn dup(call: &mut Call) -> Result {
    files::install(files::description(call.int(0))?, false)
}
