//! Clocks: read and set.

use linux_abi::{
    Errno, UserAddress, UserTime,
    constants::CLOCK_REALTIME,
    structures::{TimeSpec, TimeValue},
};

use crate::{
    Result,
    objects::{timers::clock::Clock, user},
};

/// clock_gettime(2): reads a clock.
///
/// Writes the time.
pub fn clock_gettime(clock: u32, time: UserAddress) -> Result {
    user::answer(time, &TimeSpec::from_nanoseconds(Clock::now_by(clock)?))
}

/// clock_getres(2): how fine a clock is.
///
/// All count single nanoseconds.
pub fn clock_getres(clock: u32, resolution: UserAddress) -> Result {
    Clock::numbered(clock)?;
    user::answer_optional(resolution, &TimeSpec::from_nanoseconds(1))
}

/// clock_settime(2): sets a clock.
///
/// The time is the host's: EPERM, as in a container.
pub fn clock_settime(clock: u32, _time: UserTime) -> Result {
    Clock::numbered(clock)?;
    Err(if clock == CLOCK_REALTIME { Errno::EPERM } else { Errno::EINVAL })
}

/// gettimeofday(2): the time of day.
///
/// The zone is UTC.
pub fn gettimeofday(time: UserAddress, zone: UserAddress) -> Result {
    user::write_optional(time, &TimeValue::from_nanoseconds(contracts::clock::wall()))?;
    user::write_optional(zone, &[0_u32; 2])?;
    Ok(0)
}

/// time(2): seconds since 1970.
///
/// Answers and writes them.
pub fn time(result: UserAddress) -> Result {
    let seconds = contracts::clock::wall() / 1_000_000_000;
    user::write_optional(result, &seconds)?;
    Ok(seconds as usize)
}
