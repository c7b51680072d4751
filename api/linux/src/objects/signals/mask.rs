//! Masks that a waiting call sets for its own length: ppoll(2), pselect6(2).

use linux_abi::{Errno, UserSignalSet};
use signal_state::SignalSet;

use super::arguments;
use crate::Result;

/// Runs `call` with the signal mask at `set` (none if NULL), which has `size` bytes. If a signal ended it, the mask
/// stays until that signal is delivered; else the old one comes back.
pub fn masked(set: UserSignalSet, size: usize, call: impl FnOnce() -> Result) -> Result {
    if set.is_null() {
        return call();
    }
    let mask = arguments::set(set, size)?;
    replace(mask);
    let result = call();
    if !matches!(result, Err(errno) if errno.is_restart()) {
        restore();
        return result;
    }
    // What ended the wait must be delivered under the new mask, and the call is not made again behind a handler.
    result.map_err(|_| Errno::ERESTARTNOHAND)
}

/// Puts a mask in force and keeps the old one.
pub fn replace(mask: SignalSet) {
    {
        let mut thread = crate::objects::process::thread_signals();
        thread.saved = Some(thread.blocked);
    }
    set(mask);
}

/// Puts the kept mask in force again, if there is one.
pub fn restore() {
    let saved = crate::objects::process::thread_signals().saved.take();
    if let Some(saved) = saved {
        set(saved);
    }
}

/// Sets which signals wait for the running thread. Those for the process that it took until now are offered to others.
/// Whether one of its own comes now is not looked for.
#[inline(never)]
pub fn change(blocked: SignalSet) {
    let blocked = blocked.without(SignalSet::UNBLOCKABLE);
    let old = core::mem::replace(&mut crate::objects::process::thread_signals().blocked, blocked);
    let newly = blocked.without(old);
    if !newly.is_empty() {
        crate::objects::signals::send::offer(newly);
    }
}

/// Sets which signals wait for the running thread, and looks whether one comes now.
pub fn set(blocked: SignalSet) {
    crate::objects::signals::send::change_mask(|_| blocked.without(SignalSet::UNBLOCKABLE));
}
