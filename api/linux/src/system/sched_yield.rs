//! sched_yield(2): lets others run.

use crate::{Call, Result};

/// There are none.
pub fn sched_yield(_: &mut Call) -> Result {
    Ok(0)
}
