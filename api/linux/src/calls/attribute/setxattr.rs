//! setxattr(2).

use super::extended;
use crate::{Call, Result};

/// Sets an attribute.
pub fn setxattr(call: &mut Call) -> Result {
    extended::set_at(call, 0)
}
