//! sched_yield(2): lets others run.

use crate::{Call, Result};

/// Never fails.
pub fn sched_yield(_: &mut Call) -> Result {
    kernel::task::yield_now();
    Ok(0)
}
