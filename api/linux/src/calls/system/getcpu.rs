//! getcpu(2): which processor this is.

use crate::{Call, Result, objects::user};

/// All memory is on one node.
pub fn getcpu(call: &mut Call) -> Result {
    user::write_optional(call.argument(0), &(contracts::processor::number() as u32))?;
    user::answer_optional(call.argument(1), &0_u32)
}
