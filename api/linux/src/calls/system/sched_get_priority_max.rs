//! sched_get_priority_max(2): the highest priority of a policy.

use crate::{Call, Result, objects::scheduling};

/// Answers it.
pub fn sched_get_priority_max(call: &mut Call) -> Result {
    Ok(scheduling::priorities(call.unsigned(0))?.1)
}
