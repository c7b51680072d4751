//! getxattr(2).

use crate::{Call, Result, attribute::extended};

/// Reading an attribute: no file system here has any.
pub fn getxattr(call: &mut Call) -> Result {
    extended::unsupported_at(call)
}
