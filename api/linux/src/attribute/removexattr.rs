//! removexattr(2).

use crate::{Call, Result, attribute::extended};

/// Takes an attribute away.
pub fn removexattr(call: &mut Call) -> Result {
    extended::remove_at(call, 0)
}
