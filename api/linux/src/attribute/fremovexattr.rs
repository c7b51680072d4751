//! fremovexattr(2).

use crate::{Call, Result, attribute::extended};

/// Removing an attribute of an open file.
pub fn fremovexattr(call: &mut Call) -> Result {
    extended::unsupported_open(call)
}
