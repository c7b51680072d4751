//! timer_settime(2): sets a timer.

use linux_abi::{Errno, constants::TIMER_ABSTIME};

use crate::{
    Call, Result,
    objects::{time::notice, timers::ticker},
};

/// From now on, or at a moment.
pub fn timer_settime(call: &mut Call) -> Result {
    if call.argument(2) == 0 {
        return Err(Errno::EINVAL);
    }
    let timer = notice::timer(call.int(0))?;
    let wanted = ticker::wanted(call.argument(2))?;
    timer.ticker.set_as(wanted, call.unsigned(1) & TIMER_ABSTIME != 0, call.argument(3))
}
