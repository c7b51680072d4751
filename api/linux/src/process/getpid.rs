//! getpid(2): the process' id.

use crate::{Call, Result, process};

/// Never fails.
#[inline(always)]
pub fn getpid(_: &mut Call) -> Result {
    Ok(process().id as usize)
}
