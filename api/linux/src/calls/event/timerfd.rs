//! Timers as descriptors.

use alloc::sync::Arc;

use linux_abi::{
    Errno, FileDescriptor, UserAddress, constants as c,
    constants::{OpenFlags, TimerDescriptorFlags},
};

use crate::{
    Result,
    objects::{events, files, timers::clock::Clock},
};

/// timerfd_create(2): a timer to be read.
///
/// By one of the clocks that count real time.
pub fn timerfd_create(clock: u32, flags: OpenFlags) -> Result {
    let clock = match clock {
        number @ (c::CLOCK_REALTIME
        | c::CLOCK_MONOTONIC
        | c::CLOCK_BOOTTIME
        | c::CLOCK_REALTIME_ALARM
        | c::CLOCK_BOOTTIME_ALARM) => Clock::numbered(number)?,
        _ => return Err(Errno::EINVAL),
    };
    events::open(Arc::new(events::TimerFd::new(clock)), b"anon_inode:[timerfd]", flags)
}

/// timerfd_settime(2): sets a timer.
///
/// From now on, or at a moment. Nobody sets the clock, so no read is cancelled for that.
pub fn timerfd_settime(
    descriptor: FileDescriptor,
    flags: TimerDescriptorFlags,
    value: UserAddress,
    old: UserAddress,
) -> Result {
    if !TimerDescriptorFlags::NAMED.contains(flags) {
        return Err(Errno::EINVAL);
    }
    let description = files::usable(descriptor)?;
    let ticks: &events::TimerFd = description.node_as()?;
    ticks.set(value, flags.contains(TimerDescriptorFlags::TFD_TIMER_ABSTIME), old)
}

/// timerfd_gettime(2): what a timer has left.
///
/// Writes it.
pub fn timerfd_gettime(descriptor: FileDescriptor, value: UserAddress) -> Result {
    let description = files::usable(descriptor)?;
    let ticks: &events::TimerFd = description.node_as()?;
    ticks.ticker().tell_user(value)
}
