//! Timers of a process.

use linux_abi::{Errno, UserAddress, constants::TimerFlags, structures::SignalEvent};

use crate::{
    Result,
    objects::{
        time::{clocks, notice},
        timers::{clock::Clock, ticker},
        user,
    },
};

/// timer_create(2): makes a timer.
///
/// Writes its id.
pub fn timer_create(clock: u32, event: UserAddress, timer: UserAddress) -> Result {
    let chosen = Clock::numbered(clock)?;
    if !clocks::is_exact(clock) {
        return Err(Errno::EOPNOTSUPP);
    }
    let event: Option<SignalEvent> = user::read_optional(event)?;
    let id = notice::create(chosen, event)?;
    user::answer_int(timer, id).inspect_err(|_| {
        let _ = notice::delete(id as i32);
    })
}

/// timer_settime(2): sets a timer.
///
/// From now on, or at a moment.
pub fn timer_settime(timer: i32, flags: TimerFlags, value: UserAddress, old: UserAddress) -> Result {
    if value.is_null() {
        return Err(Errno::EINVAL);
    }
    let timer = notice::timer(timer)?;
    let wanted = ticker::wanted(value)?;
    timer.ticker.set_as(wanted, flags.contains(TimerFlags::TIMER_ABSTIME), old)
}

/// timer_gettime(2): what a timer has left.
///
/// Writes it.
pub fn timer_gettime(timer: i32, value: UserAddress) -> Result {
    notice::timer(timer)?.ticker.tell_user(value)
}

/// timer_getoverrun(2): how often a timer rang while its signal waited.
///
/// Of the signal that was taken last.
pub fn timer_getoverrun(timer: i32) -> Result {
    Ok(notice::timer(timer)?.overrun() as usize)
}

/// timer_delete(2): ends a timer.
///
/// A signal of it that waits comes all the same.
pub fn timer_delete(timer: i32) -> Result {
    notice::delete(timer).map(|()| 0)
}
