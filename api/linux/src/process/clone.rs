//! clone(2): makes a thread or process.

use crate::{Call, Result};

/// Not there yet.
pub fn clone(_: &mut Call) -> Result {
    super::no_second("clone")
}
