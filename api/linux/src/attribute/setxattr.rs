//! setxattr(2).

use crate::{Call, Result, attribute::extended};

/// Sets an attribute.
pub fn setxattr(call: &mut Call) -> Result {
    extended::set_at(call, 0)
}
