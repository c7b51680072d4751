//! gettimeofday(2): the time of day.

use linux_abi::structures::TimeValue;

use crate::{Call, Result, objects::user};

/// The zone is UTC.
pub fn gettimeofday(call: &mut Call) -> Result {
    user::write_optional(call.argument(0), &TimeValue::from_nanoseconds(contracts::clock::wall()))?;
    user::write_optional(call.argument(1), &[0_u32; 2])?;
    Ok(0)
}
