//! gettid(2): the thread's id.

use crate::{Call, Result, objects::process::current_in_line};

/// Never fails.
#[inline(always)]
pub fn gettid(_: &mut Call) -> Result {
    Ok(current_in_line().id() as usize)
}
