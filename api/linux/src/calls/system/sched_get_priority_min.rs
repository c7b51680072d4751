//! sched_get_priority_min(2): the lowest priority of a policy.

use crate::{Call, Result, objects::scheduling};

/// Answers it.
pub fn sched_get_priority_min(call: &mut Call) -> Result {
    Ok(scheduling::priorities(call.unsigned(0))?.0)
}
