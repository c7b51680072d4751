//! fork(2): makes a process.

use crate::{Call, Result};

/// Not there yet.
pub fn fork(_: &mut Call) -> Result {
    crate::calls::process::no_second("fork")
}
