//! Sleeping.

use linux_abi::{
    Errno,
    constants::{CLOCK_THREAD_CPUTIME_ID, TIMER_ABSTIME},
};

use crate::{
    Call, Result, current,
    objects::{
        time::clocks,
        timers::{Sleep, clock::Clock, moments::nanoseconds},
    },
};

/// nanosleep(2): sleeps.
///
/// EINTR behind a handler, with what is left.
pub fn nanosleep(call: &mut Call) -> Result {
    Sleep::relative(Clock::Monotonic, nanoseconds(call.argument(0))?, call.argument(1))
}

/// clock_nanosleep(2): sleeps by a clock.
///
/// Relative or until a moment.
pub fn clock_nanosleep(call: &mut Call) -> Result {
    let number = call.unsigned(0);
    let clock = Clock::numbered(number)?;
    if number == CLOCK_THREAD_CPUTIME_ID || clock.is_own() {
        return Err(Errno::EINVAL);
    }
    if !clocks::is_exact(number) {
        return Err(Errno::EOPNOTSUPP);
    }
    let length = nanoseconds(call.argument(2))?;
    if call.unsigned(1) & TIMER_ABSTIME == 0 {
        return Sleep::relative(clock, length, call.argument(3));
    }
    // Interrupted, the call can simply be made again.
    if clock.sleep_until(length) { Ok(0) } else { Err(Errno::ERESTARTNOHAND) }
}

/// restart_syscall(2): continues a sleep that a signal without a handler interrupted.
///
/// Programs do not call it; the kernel makes them.
pub fn restart_syscall(_: &mut Call) -> Result {
    let sleep = current().sleep.lock().take();
    sleep.ok_or(Errno::EINTR)?.go_on()
}
