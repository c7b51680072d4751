//! fgetxattr(2).

use crate::{Call, Result, attribute::extended};

/// Reading an attribute of an open file.
pub fn fgetxattr(call: &mut Call) -> Result {
    extended::unsupported_open(call)
}
