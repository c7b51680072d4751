//! getxattr(2).

use crate::{Call, Result, attribute::extended};

/// The value of an attribute.
pub fn getxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::get)
}
