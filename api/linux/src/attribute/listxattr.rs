//! listxattr(2).

use crate::{Call, Result, attribute::extended};

/// The names of all attributes.
pub fn listxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::list)
}
