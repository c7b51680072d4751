//! lgetxattr(2).

use crate::{Call, Result, attribute::extended};

/// Reading an attribute of a link itself.
pub fn lgetxattr(call: &mut Call) -> Result {
    extended::unsupported_link(call)
}
