//! clock_nanosleep(2): sleeps by a clock.

use linux_abi::{
    Errno,
    constants::{CLOCK_THREAD_CPUTIME_ID, TIMER_ABSTIME},
};

use crate::objects::time::clocks;
use crate::{
    Call, Result,
    objects::timers::{Sleep, clock::Clock, moments::nanoseconds},
};

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
