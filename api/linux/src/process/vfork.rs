//! vfork(2): makes a process that borrows its parent's memory.

use crate::{Call, Result};

/// Not there yet.
pub fn vfork(_: &mut Call) -> Result {
    super::no_second("vfork")
}
