//! Sending signals.

use linux_abi::{constants::SI_KERNEL, structures::SignalInformation};

use crate::signal::{SignalSet, pending::QueueFull, state::Effect};

/// The current thread did something that a signal answers (SIGPIPE, SIGXFSZ).
pub fn raise(signal: u8) {
    let information = SignalInformation { si_signo: signal.into(), si_code: SI_KERNEL, ..SignalInformation::default() };
    // A standard signal that finds no room waits already, or a thousand others do.
    let _ = send_to_thread(information);
}

/// Sends a signal to the process.
pub fn send_to_process(information: SignalInformation) -> Result<(), QueueFull> {
    if is_dropped(information.si_signo as u8) {
        return Ok(());
    }
    let result = crate::state::process_signals().pending.add(information);
    notice();
    result
}

/// Sends a signal to the current thread.
pub fn send_to_thread(information: SignalInformation) -> Result<(), QueueFull> {
    if is_dropped(information.si_signo as u8) {
        return Ok(());
    }
    let result = crate::state::thread_signals().pending.add(information);
    notice();
    result
}

/// Whether a signal is not even kept: it does nothing, and is not blocked (a blocked one may be waited for, or get
/// a handler before it is unblocked).
fn is_dropped(signal: u8) -> bool {
    let effect = crate::state::process_signals().effect(signal);
    let thread = crate::state::thread_signals();
    effect == Effect::Ignored && !thread.blocked.union(thread.awaited).contains(signal)
}

/// Looks whether a signal can be delivered to the current thread: then its waits end, and it passes by delivery
/// before it goes on. To be called after every change of masks or waiting signals.
pub fn notice() {
    let shared = crate::state::process_signals().pending.set();
    let deliverable = {
        let thread = crate::state::thread_signals();
        let all = thread.pending.set().union(shared);
        let blocked = thread.blocked.without(SignalSet::UNBLOCKABLE);
        !all.without(blocked).is_empty() || !all.intersection(thread.awaited).is_empty()
    };
    kernel::task::current().set_interrupted(deliverable);
    if deliverable {
        contracts::processor::mark_pending();
    }
}
