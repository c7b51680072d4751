//! vfork(2): makes a process that borrows its parent's memory.

use crate::{Call, Result};

/// Not there yet.
pub fn vfork(_: &mut Call) -> Result {
    crate::calls::process::no_second("vfork")
}
