//! removexattr(2).

use super::extended;
use crate::{Call, Result};

/// Takes an attribute away.
pub fn removexattr(call: &mut Call) -> Result {
    extended::remove_at(call, 0)
}
