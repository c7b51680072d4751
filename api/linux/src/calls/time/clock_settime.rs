//! clock_settime(2): sets a clock.

use linux_abi::{Errno, constants::CLOCK_REALTIME};

use crate::{Call, Result, objects::timers::clock::Clock};

/// The time is the host's: EPERM, as in a container.
pub fn clock_settime(call: &mut Call) -> Result {
    Clock::numbered(call.unsigned(0))?;
    Err(if call.unsigned(0) == CLOCK_REALTIME { Errno::EPERM } else { Errno::EINVAL })
}
