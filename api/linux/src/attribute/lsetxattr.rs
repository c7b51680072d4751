//! lsetxattr(2).

use crate::{Call, Result, attribute::extended};

/// Setting an attribute of a link itself.
pub fn lsetxattr(call: &mut Call) -> Result {
    extended::unsupported_link(call)
}
