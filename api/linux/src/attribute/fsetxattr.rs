//! fsetxattr(2).

use crate::{Call, Result, attribute::extended};

/// Setting an attribute of an open file.
pub fn fsetxattr(call: &mut Call) -> Result {
    extended::unsupported_open(call)
}
