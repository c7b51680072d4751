//! eventfd(2): a counter.

use crate::{Call, Result, descriptor::eventfd2};

/// Without flags.
pub fn eventfd(call: &mut Call) -> Result {
    eventfd2::make(call.unsigned(0), 0)
}
