//! getppid(2): the parent's id.

use crate::{Call, Result, objects::process::current_in_line};

/// Never fails.
#[inline(always)]
pub fn getppid(_: &mut Call) -> Result {
    Ok(current_in_line().process.parent as usize)
}
