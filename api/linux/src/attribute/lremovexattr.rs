//! lremovexattr(2).

use crate::{Call, Result, attribute::extended};

/// Removing an attribute of a link itself.
pub fn lremovexattr(call: &mut Call) -> Result {
    extended::unsupported_link(call)
}
