//! timer_create(2): makes a timer.

use linux_abi::{Errno, structures::SignalEvent};

use crate::objects::time::clocks;
use crate::{
    Call, Result,
    objects::{time::notice, timers::clock::Clock, user},
};

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
