//! removexattr(2).

use crate::{Call, Result, attribute::extended};

/// Removing an attribute: no file system here has any.
pub fn removexattr(call: &mut Call) -> Result {
    extended::unsupported_at(call)
}
