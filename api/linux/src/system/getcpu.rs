//! getcpu(2): which processor this is.

use crate::{Call, Result, user};

/// All are of one memory node.
pub fn getcpu(call: &mut Call) -> Result {
    let processor = contracts::processor::number() as u32;
    user::write_optional(call.argument(0), &processor)?;
    user::answer_optional(call.argument(1), &0_u32)
}
