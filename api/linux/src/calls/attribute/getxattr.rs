//! getxattr(2).

use super::extended;
use crate::{Call, Result};

/// The value of an attribute.
pub fn getxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::get)
}
