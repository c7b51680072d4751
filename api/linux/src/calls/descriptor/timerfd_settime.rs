//! timerfd_settime(2): sets a timer.

use linux_abi::{
    Errno,
    constants::{TFD_TIMER_ABSTIME, TFD_TIMER_CANCEL_ON_SET},
};

use crate::{
    Call, Result,
    objects::{events, files},
};

/// From now on, or at a moment. Nobody sets the clock, so no read is cancelled for that.
pub fn timerfd_settime(call: &mut Call) -> Result {
    let flags = call.unsigned(1);
    if flags & !(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET) != 0 {
        return Err(Errno::EINVAL);
    }
    let description = files::usable(call.int(0))?;
    let ticks: &events::Ticks = description.node_as()?;
    ticks.set(call.argument(2), flags & TFD_TIMER_ABSTIME != 0, call.argument(3))
}
