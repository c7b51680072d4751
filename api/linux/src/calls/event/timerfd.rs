//! Timers as descriptors.

use alloc::sync::Arc;

use linux_abi::{
    Errno, constants as c,
    constants::{TFD_TIMER_ABSTIME, TFD_TIMER_CANCEL_ON_SET},
};

use crate::{
    Call, Result,
    objects::{events, files, timers::clock::Clock},
};

/// timerfd_create(2): a timer to be read.
///
/// By one of the clocks that count real time.
pub fn timerfd_create(call: &mut Call) -> Result {
    let clock = match call.unsigned(0) {
        number @ (c::CLOCK_REALTIME
        | c::CLOCK_MONOTONIC
        | c::CLOCK_BOOTTIME
        | c::CLOCK_REALTIME_ALARM
        | c::CLOCK_BOOTTIME_ALARM) => Clock::numbered(number)?,
        _ => return Err(Errno::EINVAL),
    };
    events::open(Arc::new(events::TimerFd::new(clock)), b"anon_inode:[timerfd]", call.unsigned(1))
}

/// timerfd_settime(2): sets a timer.
///
/// From now on, or at a moment. Nobody sets the clock, so no read is cancelled for that.
pub fn timerfd_settime(call: &mut Call) -> Result {
    let flags = call.unsigned(1);
    if flags & !(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET) != 0 {
        return Err(Errno::EINVAL);
    }
    let description = files::usable(call.int(0))?;
    let ticks: &events::TimerFd = description.node_as()?;
    ticks.set(call.argument(2), flags & TFD_TIMER_ABSTIME != 0, call.argument(3))
}

/// timerfd_gettime(2): what a timer has left.
///
/// Writes it.
pub fn timerfd_gettime(call: &mut Call) -> Result {
    let description = files::usable(call.int(0))?;
    let ticks: &events::TimerFd = description.node_as()?;
    ticks.ticker().tell_user(call.argument(1))
}
