//! eventfd(2): a counter.

use super::eventfd2;
use crate::{Call, Result};

/// Without flags.
pub fn eventfd(call: &mut Call) -> Result {
    eventfd2::make(call.unsigned(0), 0)
}
