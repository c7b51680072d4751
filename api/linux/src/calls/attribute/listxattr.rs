//! listxattr(2).

use super::extended;
use crate::{Call, Result};

/// The names of all attributes.
pub fn listxattr(call: &mut Call) -> Result {
    extended::ask_at(call, 0, extended::list)
}
