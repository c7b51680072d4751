//! getpgrp(2): the process group.

use core::sync::atomic::Ordering;

use crate::{Call, Result, process};

/// Never fails.
pub fn getpgrp(_: &mut Call) -> Result {
    Ok(process().group.load(Ordering::Relaxed) as usize)
}
