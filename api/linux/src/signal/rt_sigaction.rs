//! rt_sigaction(2): what a signal does.

use linux_abi::{
    Errno,
    constants::{SIG_IGN, SIGKILL, SIGSTOP},
    structures::SignalAction,
};

use crate::{
    Call, Result,
    signal::{SignalSet, arguments, state::Effect},
    user,
};

/// Sets and tells an action.
pub fn rt_sigaction(call: &mut Call) -> Result {
    if call.argument(3) != arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let signal = arguments::signal(call.int(0))?;
    let wanted: Option<SignalAction> = user::read_optional(call.argument(1))?;
    let old = crate::state::process_signals().action(signal);
    if let Some(action) = wanted {
        set(signal, action)?;
    }
    user::answer_optional(call.argument(2), &old)
}

/// Signals that wait and are now ignored are forgotten (POSIX).
fn set(signal: u8, action: SignalAction) -> core::result::Result<(), Errno> {
    if signal == SIGKILL || signal == SIGSTOP {
        return Err(Errno::EINVAL);
    }
    let ignored = {
        let mut signals = crate::state::process_signals();
        let mask = SignalSet(action.mask).without(SignalSet::UNBLOCKABLE).0;
        signals.set_action(signal, SignalAction { mask, ..action });
        let ignored = action.handler == SIG_IGN || signals.effect(signal) == Effect::Ignored;
        if ignored {
            signals.pending.drop_all(SignalSet::of(&[signal]));
        }
        ignored
    };
    if ignored {
        crate::state::thread_signals().pending.drop_all(SignalSet::of(&[signal]));
        super::notice();
    }
    Ok(())
}
