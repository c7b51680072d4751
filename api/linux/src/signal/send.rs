//! Sending signals.

use kernel::task::{self, Thread};
use linux_abi::{constants::SI_KERNEL, structures::SignalInformation};

use crate::{
    Process,
    signal::{SignalSet, pending::QueueFull, state::Effect},
    state::linux,
};

/// The current thread did something that a signal answers (SIGPIPE, SIGXFSZ).
pub fn raise(signal: u8) {
    let information = SignalInformation { si_signo: signal.into(), si_code: SI_KERNEL, ..SignalInformation::default() };
    // A standard signal that finds no room waits already, or a thousand others do.
    let _ = send_to_thread(task::current(), information);
}

/// Sends a signal to a process: to whichever of its threads does not block it, the running one before others.
pub fn send_to_process(process: &Process, information: SignalInformation) -> Result<(), QueueFull> {
    let signal = information.si_signo as u8;
    let threads = process.threads.lock();
    if is_ignored(process, signal) && !threads.iter().any(|thread| keeps(thread, signal)) {
        return Ok(());
    }
    let result = process.signals.lock().pending.add(information);
    let running = task::try_current();
    let is_running = |thread: &Thread| running.is_some_and(|running| core::ptr::eq(thread, running));
    let takers = || threads.iter().filter(|thread| takes(thread, signal));
    if let Some(taker) = takers().find(|thread| is_running(thread)).or_else(|| takers().next()) {
        look(taker);
    }
    result
}

/// Sends a signal to a thread.
pub fn send_to_thread(thread: &Thread, information: SignalInformation) -> Result<(), QueueFull> {
    let signal = information.si_signo as u8;
    if is_ignored(&linux(thread).process, signal) && !keeps(thread, signal) {
        return Ok(());
    }
    let result = linux(thread).signals.lock().pending.add(information);
    look(thread);
    result
}

/// Whether a signal does nothing now. It is not even kept then, unless a thread blocks it or waits for it, for it may
/// get a handler before it is unblocked.
fn is_ignored(process: &Process, signal: u8) -> bool {
    process.signals.lock().effect(signal) == Effect::Ignored
}

fn keeps(thread: &Thread, signal: u8) -> bool {
    let signals = linux(thread).signals.lock();
    signals.blocked.union(signals.awaited).contains(signal)
}

/// Whether a signal for all threads may be this one's.
fn takes(thread: &Thread, signal: u8) -> bool {
    let signals = linux(thread).signals.lock();
    !signals.blocked.without(SignalSet::UNBLOCKABLE).contains(signal) || signals.awaited.contains(signal)
}

/// Looks whether a signal can be delivered to the current thread. To be called after every change of its mask.
pub fn notice() {
    look(task::current());
}

/// Looks whether a signal can be delivered to `thread`: then its waits end, and it passes by delivery before it goes
/// on.
fn look(thread: &Thread) {
    let shared = linux(thread).process.signals.lock().pending.set();
    let deliverable = {
        let signals = linux(thread).signals.lock();
        let all = signals.pending.set().union(shared);
        let blocked = signals.blocked.without(SignalSet::UNBLOCKABLE);
        !all.without(blocked).is_empty() || !all.intersection(signals.awaited).is_empty()
    };
    if deliverable {
        task::interrupt(thread);
    } else {
        thread.set_interrupted(false);
    }
}
