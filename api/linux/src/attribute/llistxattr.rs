//! llistxattr(2).

use vfs::Follow;

use crate::{Call, Result, attribute::extended};

/// No attributes.
pub fn llistxattr(call: &mut Call) -> Result {
    extended::none_at(call.argument(0), Follow::No)
}
