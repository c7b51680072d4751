//! rt_sigprocmask(2): which signals wait.

use linux_abi::{
    Errno,
    constants::{SIG_BLOCK, SIG_SETMASK, SIG_UNBLOCK},
};

use crate::{
    Call, Result,
    objects::{
        pending::set::SignalSet,
        signals::{arguments, send},
        user,
    },
};

/// Changes and tells the thread's mask.
pub fn rt_sigprocmask(call: &mut Call) -> Result {
    if call.argument(3) != arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let change: Option<u64> = user::read_optional(call.argument(1))?;
    let how = call.unsigned(0);
    let old = match change {
        None => crate::objects::process::thread_signals().blocked,
        Some(_) if how > SIG_SETMASK => return Err(Errno::EINVAL),
        Some(set) => {
            let set = SignalSet(set).without(SignalSet::UNBLOCKABLE);
            send::change_mask(|old| match how {
                SIG_BLOCK => old.union(set),
                SIG_UNBLOCK => old.without(set),
                _ => set,
            })
        }
    };
    user::answer_optional(call.argument(2), &old.0)
}
