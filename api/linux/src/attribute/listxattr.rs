//! listxattr(2).

use crate::{Call, Result, attribute::extended};

/// No attributes.
pub fn listxattr(call: &mut Call) -> Result {
    extended::none_at(call)
}
