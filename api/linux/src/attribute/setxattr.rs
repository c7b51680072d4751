//! setxattr(2).

use crate::{Call, Result, attribute::extended};

/// Setting an attribute: no file system here has any.
pub fn setxattr(call: &mut Call) -> Result {
    extended::unsupported_at(call)
}
