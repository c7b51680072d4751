//! Masks that a waiting call sets for its own length: ppoll(2), pselect6(2).

use linux_abi::Errno;

use crate::{
    Result,
    signal::{SignalSet, arguments},
};

/// Runs `call` with the signal mask at `set` (none if 0), which has `size` bytes. If a signal ended it, the mask stays
/// until that signal is delivered; else the old one comes back.
pub fn masked(set: usize, size: usize, call: impl FnOnce() -> Result) -> Result {
    if set == 0 {
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
        let mut thread = crate::state::thread_signals();
        thread.saved = Some(thread.blocked);
        thread.blocked = mask.without(SignalSet::UNBLOCKABLE);
    }
    super::notice();
}

/// Puts the kept mask in force again, if there is one.
pub fn restore() {
    let restored = {
        let mut thread = crate::state::thread_signals();
        let saved = thread.saved.take();
        thread.blocked = saved.unwrap_or(thread.blocked);
        saved.is_some()
    };
    if restored {
        super::notice();
    }
}
