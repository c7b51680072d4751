//! rt_sigtimedwait(2): takes a signal without a handler.

use kernel::task::{Waited, wait};
use linux_abi::{
    Errno,
    structures::{SignalInformation, TimeSpec},
};

use crate::{
    Call, Result,
    signal::{SignalSet, arguments},
    user,
};

/// Answers the signal's number; EAGAIN when the time is up.
pub fn rt_sigtimedwait(call: &mut Call) -> Result {
    let wanted = arguments::set(call.argument(0), call.argument(3))?.without(SignalSet::UNBLOCKABLE);
    let timeout: Option<TimeSpec> = user::read_optional(call.argument(2))?;
    let deadline = match timeout {
        Some(time) => {
            let length = time.nanoseconds().ok_or(Errno::EINVAL)?;
            Some(contracts::clock::monotonic().saturating_add(length))
        }
        None => None,
    };
    await_signals(wanted);
    let outcome = wait(deadline, || take(wanted));
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

fn take(wanted: SignalSet) -> Option<SignalInformation> {
    let own = crate::state::thread_signals().pending.take(wanted);
    own.or_else(|| crate::state::process_signals().pending.take(wanted))
}
