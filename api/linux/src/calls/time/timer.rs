//! Timers of a process.

use linux_abi::{Errno, constants::TIMER_ABSTIME, structures::SignalEvent};

use crate::{
    Call, Result,
    objects::{
        time::{clocks, notice},
        timers::{clock::Clock, ticker},
        user,
    },
};

/// timer_create(2): makes a timer.
///
/// Writes its id.
pub fn timer_create(call: &mut Call) -> Result {
    let clock = Clock::numbered(call.unsigned(0))?;
    if !clocks::is_exact(call.unsigned(0)) {
        return Err(Errno::EOPNOTSUPP);
    }
    let event: Option<SignalEvent> = user::read_optional(call.argument(1))?;
    let id = notice::create(clock, event)?;
    user::answer_int(call.argument(2), id).inspect_err(|_| {
        let _ = notice::delete(id as i32);
    })
}

/// timer_settime(2): sets a timer.
///
/// From now on, or at a moment.
pub fn timer_settime(call: &mut Call) -> Result {
    if call.argument(2) == 0 {
        return Err(Errno::EINVAL);
    }
    let timer = notice::timer(call.int(0))?;
    let wanted = ticker::wanted(call.argument(2))?;
    timer.ticker.set_as(wanted, call.unsigned(1) & TIMER_ABSTIME != 0, call.argument(3))
}

/// timer_gettime(2): what a timer has left.
///
/// Writes it.
pub fn timer_gettime(call: &mut Call) -> Result {
    notice::timer(call.int(0))?.ticker.tell_user(call.argument(1))
}

/// timer_getoverrun(2): how often a timer rang while its signal waited.
///
/// Of the signal that was taken last.
pub fn timer_getoverrun(call: &mut Call) -> Result {
    Ok(notice::timer(call.int(0))?.overrun() as usize)
}

/// timer_delete(2): ends a timer.
///
/// A signal of it that waits comes all the same.
pub fn timer_delete(call: &mut Call) -> Result {
    notice::delete(call.int(0)).map(|()| 0)
}
