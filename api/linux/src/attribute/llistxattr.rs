//! llistxattr(2).

use crate::{Call, Result, attribute::extended};

/// No attributes.
pub fn llistxattr(call: &mut Call) -> Result {
    extended::no_link(call)
}
