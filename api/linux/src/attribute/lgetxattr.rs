//! lgetxattr(2).

use vfs::Follow;

use crate::{Call, Result, attribute::extended};

/// Reading an attribute of a link itself.
pub fn lgetxattr(call: &mut Call) -> Result {
    extended::unsupported_at(call.argument(0), Follow::No)
}
