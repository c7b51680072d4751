//! getpid(2): the process' id.

use crate::{Call, Result, objects::process::current_in_line};

/// Never fails.
#[inline(always)]
pub fn getpid(_: &mut Call) -> Result {
    Ok(current_in_line().process.id as usize)
}
