//! Masks that a waiting call sets for its own length: ppoll(2), pselect6(2).

use core::sync::atomic::Ordering;

use linux_abi::{Errno, UserSignalSet};
use signal_state::SignalSet;

use super::arguments;
use crate::{Result, objects::process::LinuxThread};

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

/// Has more signals wait for `this`, the running thread, which enters a handler; a mask of before is the handler's
/// frame's to give back. Signals for the process that it took until now are offered to others.
pub fn block_for_handler(this: &LinuxThread, more: SignalSet) {
    let newly = {
        let mut signals = this.signals.lock_in_line();
        let (old, more) = (signals.blocked, more.without(SignalSet::UNBLOCKABLE));
        (signals.saved, signals.blocked) = (None, old.union(more));
        more.without(old)
    };
    if !newly.is_empty() && this.process.signals_wait.load(Ordering::SeqCst) {
        super::send::offer(newly);
    }
}

/// Sets which signals wait for the running thread, and looks whether one comes now.
pub fn set(blocked: SignalSet) {
    crate::objects::signals::send::change_mask(|_| blocked.without(SignalSet::UNBLOCKABLE));
}
