//! Which signals wait, and which are to.

use linux_abi::{
    Errno, UserAddress, UserSignalSet,
    constants::{SIG_BLOCK, SIG_SETMASK, SIG_UNBLOCK},
};
use signal_state::SignalSet;

use crate::{
    Result,
    objects::{
        signals::{arguments, send},
        user,
    },
};

/// rt_sigprocmask(2): which signals wait.
///
/// Changes and tells the thread's mask.
pub fn rt_sigprocmask(how: u32, set: UserSignalSet, old: UserAddress, size: usize) -> Result {
    if size != arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let change: Option<u64> = user::read_optional(set.into())?;
    let before = match change {
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
    user::answer_optional(old, &before.0)
}

/// rt_sigpending(2): which blocked signals wait.
///
/// Tells the set.
pub fn rt_sigpending(set: UserAddress, size: usize) -> Result {
    if size > arguments::SET_SIZE {
        return Err(Errno::EINVAL);
    }
    let shared = crate::objects::process::process_signals().pending.set();
    let waiting = {
        let thread = crate::objects::process::thread_signals();
        thread.pending.set().union(shared).intersection(thread.blocked)
    };
    user::copy_out(set, &waiting.0.to_le_bytes()[..size])?;
    Ok(0)
}
