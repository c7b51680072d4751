//! rt_sigtimedwait(2): takes a signal without a handler.

use kernel::task::{Waited, wait};
use linux_abi::Errno;

use crate::{
    Call, Result,
    signal::{SignalSet, arguments, pending},
    time::arguments::deadline,
    user,
};

/// Answers the signal's number; EAGAIN when the time is up.
pub fn rt_sigtimedwait(call: &mut Call) -> Result {
    let wanted = arguments::set(call.argument(0), call.argument(3))?.without(SignalSet::UNBLOCKABLE);
    let deadline = deadline(call.argument(2))?;
    await_signals(wanted);
    let outcome = wait(None, deadline, || pending::take(wanted));
    await_signals(SignalSet::EMPTY);
    match outcome {
        Waited::Ready(information) => {
            user::write_optional(call.argument(1), &information)?;
            Ok(information.si_signo as usize)
        }
        Waited::TimedOut => Err(Errno::EAGAIN),
        Waited::Interrupted => Err(Errno::EINTR),
    }
}

fn await_signals(set: SignalSet) {
    crate::state::thread_signals().awaited = set;
    super::notice();
}
