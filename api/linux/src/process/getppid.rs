//! getppid(2): the parent's id.

use crate::{Call, Result, process};

/// Never fails.
#[inline(always)]
pub fn getppid(_: &mut Call) -> Result {
    Ok(process().parent as usize)
}
