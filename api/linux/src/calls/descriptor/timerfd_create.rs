//! timerfd_create(2): a timer to be read.

use alloc::sync::Arc;

use linux_abi::{Errno, constants as c};

use crate::{
    Call, Result,
    objects::{events, timers::clock::Clock},
};

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
    events::open(Arc::new(events::Ticks::new(clock)), b"anon_inode:[timerfd]", call.unsigned(1))
}
