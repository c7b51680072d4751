//! rt_sigtimedwait(2): takes a signal without a handler.

use kernel::task::{Waited, sleep_until};
use linux_abi::Errno;

use crate::objects::signals;
use crate::{
    Call, Result,
    objects::{pending::set::SignalSet, signals::arguments, timers::moments::deadline, user},
};

/// Answers the signal's number; EAGAIN when the time is up.
pub fn rt_sigtimedwait(call: &mut Call) -> Result {
    let wanted = arguments::set(call.argument(0), call.argument(3))?.without(SignalSet::UNBLOCKABLE);
    let deadline = deadline(call.argument(2))?;
    await_signals(wanted);
    // Who sends a signal that is awaited interrupts this thread, so there is no queue to be in.
    let mut taken = None;
    let waited = sleep_until(deadline, &mut || {
        taken = signals::take(wanted);
        taken.is_some()
    });
    await_signals(SignalSet::EMPTY);
    match (taken, waited) {
        (Some(information), _) => {
            user::write_optional(call.argument(1), &information)?;
            Ok(information.si_signo as usize)
        }
        (None, Waited::Interrupted) => Err(Errno::EINTR),
        (None, _) => Err(Errno::EAGAIN),
    }
}

fn await_signals(set: SignalSet) {
    crate::objects::process::thread_signals().awaited = set;
    crate::objects::signals::notice();
}
