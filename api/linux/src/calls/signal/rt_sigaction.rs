//! rt_sigaction(2): what a signal does.

use linux_abi::{
    Errno, UserAddress,
    constants::{
        SA_EXPOSE_TAGBITS, SA_NOCLDSTOP, SA_NOCLDWAIT, SA_NODEFER, SA_ONSTACK, SA_RESETHAND, SA_RESTART, SA_RESTORER,
        SA_SIGINFO, SIGKILL, SIGSTOP,
    },
    structures::SignalAction,
};
use signal_state::{Effect, SignalSet};

use crate::{
    Result,
    objects::{
        signals::{arguments, send},
        user,
    },
};

const KNOWN: u32 = SA_NOCLDSTOP
    | SA_NOCLDWAIT
    | SA_SIGINFO
    | SA_EXPOSE_TAGBITS
    | SA_RESTORER
    | SA_ONSTACK
    | SA_RESTART
    | SA_NODEFER
    | SA_RESETHAND;

/// Sets and tells an action.
pub fn rt_sigaction(signal: i32, action: UserAddress, old: UserAddress, size: usize) -> Result {
    if size != arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let signal = arguments::signal(signal)?;
    let wanted: Option<SignalAction> = user::read_optional(action)?;
    let before = crate::objects::process::process_signals().action(signal);
    if let Some(action) = wanted {
        set(signal, action)?;
    }
    user::answer_optional(old, &before)
}

/// Signals that wait and are now ignored are forgotten (POSIX).
fn set(signal: u8, action: SignalAction) -> core::result::Result<(), Errno> {
    if signal == SIGKILL || signal == SIGSTOP {
        return Err(Errno::EINVAL);
    }
    let ignored = {
        let mut signals = crate::objects::process::process_signals();
        let mask = SignalSet(action.mask).without(SignalSet::UNBLOCKABLE).0;
        // Programs find out by this which flags there are (sigaction(2), SA_UNSUPPORTED).
        signals.set_action(signal, SignalAction { mask, flags: action.flags & u64::from(KNOWN), ..action });
        signals.effect(signal) == Effect::Ignored
    };
    if ignored {
        send::forget(crate::process(), SignalSet::of(&[signal]));
        crate::objects::signals::notice();
    }
    Ok(())
}
