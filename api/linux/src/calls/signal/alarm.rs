//! alarm(2): SIGALRM after seconds.

use linux_abi::constants::ITIMER_REAL;

use crate::{Call, Result, objects::time::interval};

const SECOND: u64 = 1_000_000_000;

/// Sets ITIMER_REAL; answers the seconds that the last alarm had left, rounded as Linux rounds.
pub fn alarm(call: &mut Call) -> Result {
    let seconds = u64::from(call.unsigned(0));
    let left = interval::timer(ITIMER_REAL)?.set(seconds * SECOND, false, 0).0;
    let rounded = (left + SECOND / 2) / SECOND;
    Ok(if left > 0 { rounded.max(1) } else { 0 } as usize)
}
