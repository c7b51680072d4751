//! Waiting for signals.

use kernel::task::{Waited, sleep_until};
use linux_abi::{Errno, UserAddress, UserSignalSet, UserTime, structures::UserSignalInformation};
use signal_state::SignalSet;

use crate::{
    Result,
    objects::{
        process::current_in_line,
        signals::{self, arguments, mask},
        timers::moments::deadline,
        user,
    },
};

/// pause(2): waits for a signal.
///
/// Ends by a handler, with EINTR.
pub fn pause() -> Result {
    sleep_until(None, &mut || false);
    Err(Errno::ERESTARTNOHAND)
}

/// rt_sigsuspend(2): waits for a signal under another mask.
///
/// Ends by a handler, with EINTR.
pub fn rt_sigsuspend(set: UserSignalSet, size: usize) -> Result {
    let mask = arguments::set(set, size)?;
    mask::replace(mask);
    pause()
}

/// rt_sigtimedwait(2): takes a signal without a handler.
///
/// Answers the signal's number; EAGAIN when the time is up.
pub fn rt_sigtimedwait(set: UserSignalSet, information: UserAddress, timeout: UserTime, size: usize) -> Result {
    let wanted = arguments::set(set, size)?.without(SignalSet::UNBLOCKABLE);
    let deadline = deadline(timeout)?;
    await_signals(wanted);
    // Who sends a signal that is awaited interrupts this thread, so there is no queue to be in.
    let this = current_in_line();
    let mut taken = None;
    let waited = signals::sleep_until(deadline, &mut || {
        taken = signals::take(this, wanted);
        taken.is_some()
    });
    await_signals(SignalSet::EMPTY);
    match (taken, waited) {
        (Some(found), _) => {
            user::write_optional(information, &UserSignalInformation::from(found))?;
            Ok(found.si_signo as usize)
        }
        (None, Waited::Interrupted) => Err(Errno::EINTR),
        (None, _) => Err(Errno::EAGAIN),
    }
}

fn await_signals(set: SignalSet) {
    crate::objects::process::thread_signals().awaited = set;
    crate::objects::signals::notice();
}
