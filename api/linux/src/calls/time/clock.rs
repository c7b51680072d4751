//! Clocks: read and set.

use linux_abi::{
    Errno,
    constants::CLOCK_REALTIME,
    structures::{TimeSpec, TimeValue},
};

use crate::{
    Call, Result,
    objects::{timers::clock::Clock, user},
};

/// clock_gettime(2): reads a clock.
///
/// Writes the time.
pub fn clock_gettime(call: &mut Call) -> Result {
    let now = Clock::numbered(call.unsigned(0))?.now();
    user::answer(call.argument(1), &TimeSpec::from_nanoseconds(now))
}

/// clock_getres(2): how fine a clock is.
///
/// All count single nanoseconds.
pub fn clock_getres(call: &mut Call) -> Result {
    Clock::numbered(call.unsigned(0))?;
    user::answer_optional(call.argument(1), &TimeSpec::from_nanoseconds(1))
}

/// clock_settime(2): sets a clock.
///
/// The time is the host's: EPERM, as in a container.
pub fn clock_settime(call: &mut Call) -> Result {
    Clock::numbered(call.unsigned(0))?;
    Err(if call.unsigned(0) == CLOCK_REALTIME { Errno::EPERM } else { Errno::EINVAL })
}

/// gettimeofday(2): the time of day.
///
/// The zone is UTC.
pub fn gettimeofday(call: &mut Call) -> Result {
    user::write_optional(call.argument(0), &TimeValue::from_nanoseconds(contracts::clock::wall()))?;
    user::write_optional(call.argument(1), &[0_u32; 2])?;
    Ok(0)
}

/// time(2): seconds since 1970.
///
/// Answers and writes them.
pub fn time(call: &mut Call) -> Result {
    let seconds = contracts::clock::wall() / 1_000_000_000;
    user::write_optional(call.argument(0), &seconds)?;
    Ok(seconds as usize)
}
