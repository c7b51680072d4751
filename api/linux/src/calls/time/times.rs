//! times(2): processor time in ticks.

use linux_abi::{constants::CLOCK_TICKS, structures::ProcessTimes};

use crate::{Call, Result, objects::user, process};

const TICK: u64 = 1_000_000_000 / CLOCK_TICKS;

/// Answers the ticks since the machine started.
pub fn times(call: &mut Call) -> Result {
    let used = (process().processor_time() / TICK) as i64;
    user::write_optional(call.argument(0), &ProcessTimes { tms_utime: used, ..ProcessTimes::default() })?;
    Ok((contracts::clock::monotonic() / TICK) as usize)
}
