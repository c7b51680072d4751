//! lsetxattr(2).

use vfs::Follow;

use crate::{Call, Result, attribute::extended};

/// Setting an attribute of a link itself.
pub fn lsetxattr(call: &mut Call) -> Result {
    extended::unsupported_at(call.argument(0), Follow::No)
}
