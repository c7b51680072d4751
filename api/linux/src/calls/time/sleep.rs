//! Sleeping.

use linux_abi::{
    Errno, UserAddress, UserTime,
    constants::{CLOCK_THREAD_CPUTIME_ID, TimerFlags},
};

use crate::{
    Result, current,
    objects::{
        time::clocks,
        timers::{Sleep, clock::Clock, moments::nanoseconds},
    },
};

/// nanosleep(2): sleeps.
///
/// EINTR behind a handler, with what is left.
pub fn nanosleep(request: UserTime, remaining: UserAddress) -> Result {
    Sleep::relative(Clock::Monotonic, nanoseconds(request)?, remaining)
}

/// clock_nanosleep(2): sleeps by a clock.
///
/// Relative or until a moment.
pub fn clock_nanosleep(clock: u32, flags: TimerFlags, request: UserTime, remaining: UserAddress) -> Result {
    let chosen = Clock::numbered(clock)?;
    if clock == CLOCK_THREAD_CPUTIME_ID || chosen.is_own() {
        return Err(Errno::EINVAL);
    }
    if !clocks::is_exact(clock) {
        return Err(Errno::EOPNOTSUPP);
    }
    let length = nanoseconds(request)?;
    if !flags.contains(TimerFlags::TIMER_ABSTIME) {
        return Sleep::relative(chosen, length, remaining);
    }
    // Interrupted, the call can simply be made again.
    if chosen.sleep_until(length) { Ok(0) } else { Err(Errno::ERESTARTNOHAND) }
}

/// restart_syscall(2): continues a sleep that a signal without a handler interrupted.
///
/// Programs do not call it; the kernel makes them.
pub fn restart_syscall() -> Result {
    let sleep = current().sleep.lock().take();
    sleep.ok_or(Errno::EINTR)?.go_on()
}
