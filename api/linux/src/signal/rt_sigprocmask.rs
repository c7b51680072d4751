//! rt_sigprocmask(2): which signals wait.

use linux_abi::{
    Errno,
    constants::{SIG_BLOCK, SIG_SETMASK, SIG_UNBLOCK},
};

use crate::{
    Call, Result,
    signal::{SignalSet, arguments, mask},
    user,
};

/// Changes and tells the thread's mask.
pub fn rt_sigprocmask(call: &mut Call) -> Result {
    if call.argument(3) != arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let change: Option<u64> = user::read_optional(call.argument(1))?;
    let old = crate::state::thread_signals().blocked;
    if let Some(set) = change {
        let set = SignalSet(set).without(SignalSet::UNBLOCKABLE);
        let new = match call.unsigned(0) {
            SIG_BLOCK => old.union(set),
            SIG_UNBLOCK => old.without(set),
            SIG_SETMASK => set,
            _ => return Err(Errno::EINVAL),
        };
        mask::set(new);
    }
    user::answer_optional(call.argument(2), &old.0)
}
