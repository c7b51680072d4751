//! gettid(2): the thread's id.

use crate::{Call, Result, current};

/// Never fails.
#[inline(always)]
pub fn gettid(_: &mut Call) -> Result {
    Ok(current().id as usize)
}
