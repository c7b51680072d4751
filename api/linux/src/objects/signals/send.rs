//! Sending signals.

use alloc::vec::Vec;
use core::sync::atomic::Ordering;

use identity::Capability;
use kernel::task::{self, Thread, Waited};
use linux_abi::{
    constants::{RLIMIT_SIGPENDING, SI_KERNEL, SIGCONT, SIGKILL},
    structures::{SignalAction, SignalInformation},
};
use signal_state::{Effect, Pending, QueueFull, STOPPING, SignalSet, ThreadSignals};

use super::stop;
use crate::{
    Process,
    objects::ability,
    objects::process::{
        LinuxThread, current_in_line, kin::FAMILIES, linux, process, process_signals, table, thread_signals,
    },
};

/// Whether a signal waits now; `false` if it does nothing and is forgotten.
pub type Sent = Result<bool, QueueFull>;

/// The current thread did something that a signal answers (SIGPIPE, SIGXFSZ).
pub fn raise(signal: u8) {
    let information = SignalInformation { si_signo: signal.into(), si_code: SI_KERNEL, ..SignalInformation::default() };
    // A standard signal that finds no room waits already, or a thousand others do.
    let _ = send_to_thread(task::current(), information);
}

/// Sends a signal to a process: to whichever of its threads does not block it, the first one before others.
pub fn send_to_process(process: &Process, information: SignalInformation) -> Sent {
    let signal = information.si_signo as u8;
    prepare(process, signal);
    let sent = add_to_process(process, information);
    go_on(process, signal);
    sent
}

fn add_to_process(process: &Process, information: SignalInformation) -> Sent {
    let signal = information.si_signo as u8;
    let ignored = is_ignored(process, signal);
    let limit = limit(process);
    let threads = process.threads.lock();
    if ignored && !threads.iter().any(|thread| keeps(thread, signal)) {
        return Ok(false);
    }
    {
        let mut signals = process.signals.lock();
        signals.pending.add(information, limit, &process.queued_signals)?;
        process.signals_wait.store(true, Ordering::SeqCst);
    }
    process.signalled.wake_all();
    let takers = || threads.iter().filter(|thread| takes(thread, SignalSet::of(&[signal])));
    // One that is on its way to another signal comes by this one too, but may do so later.
    if let Some(taker) = takers().find(|thread| !thread.is_interrupted()).or_else(|| takers().next()) {
        look(taker);
    }
    Ok(true)
}

/// Whether the running process may send `signal`, or ask with none, to another one: the same user's, with CAP_KILL, or
/// SIGCONT within a session (kill(2)).
#[must_use]
pub fn may_send(target: &Process, signal: Option<u8>) -> bool {
    let this = process();
    if !ability::processes() || target.id == this.id {
        return true;
    }
    let (user, may) = {
        let identity = this.identity.lock();
        (identity.user, identity.may(Capability::Kill))
    };
    let other = target.identity.lock().user;
    let same = |user| user == other.real || user == other.saved;
    may || same(user.real) || same(user.effective) || signal == Some(SIGCONT) && this.session() == target.session()
}

/// Sends a signal to all processes of a group; `false` if there is none.
pub fn send_to_group(group: u32, information: SignalInformation) -> bool {
    let members: Vec<u32> = FAMILIES.lock().group_members(group).collect();
    let mut any = false;
    for process in members.into_iter().filter_map(table::find) {
        let _ = send_to_process(&process, information);
        any = true;
    }
    any
}

/// Sends a signal to a thread.
pub fn send_to_thread(thread: &Thread, information: SignalInformation) -> Sent {
    let signal = information.si_signo as u8;
    let process = &linux(thread).process;
    prepare(process, signal);
    let sent = add_to_thread(thread, information);
    go_on(process, signal);
    sent
}

fn add_to_thread(thread: &Thread, information: SignalInformation) -> Sent {
    let signal = information.si_signo as u8;
    let this = linux(thread);
    let process = &this.process;
    let ignored = is_ignored(process, signal);
    let limit = limit(process);
    let deliverable = {
        let mut signals = this.signals.lock_in_line();
        if ignored && !signals.blocked.union(signals.awaited).contains(signal) {
            return Ok(false);
        }
        signals.pending.add(information, limit, &process.queued_signals)?;
        is_deliverable(&signals, SignalSet::EMPTY)
    };
    process.signalled.wake_all_in_line();
    if deliverable {
        task::interrupt(thread);
    } else {
        look(thread);
    }
    Ok(true)
}

/// A signal that must not wait: blocked or ignored, it gets its default action, which ends the process.
pub fn force(information: SignalInformation) {
    let signal = information.si_signo as u8;
    let blocked = thread_signals().blocked.contains(signal);
    {
        let mut signals = process_signals();
        if blocked || signals.effect(signal) == Effect::Ignored {
            signals.set_action(signal, SignalAction::default());
        }
    }
    {
        let mut thread = thread_signals();
        thread.blocked = thread.blocked.without(SignalSet::of(&[signal]));
        // There is always room for one from the kernel.
        let _ = thread.pending.add(information, usize::MAX, &process().queued_signals);
    }
    notice();
}

/// What one signal does to others as it is sent: stopping and continuing take each other back.
fn prepare(process: &Process, signal: u8) {
    if signal == SIGCONT {
        forget(process, STOPPING);
    } else if STOPPING.contains(signal) {
        forget(process, SignalSet::of(&[SIGCONT]));
    }
}

/// Has a stopped process go on for a signal that does that. It waits already: on another processor the process could do
/// what is behind its stop before it sees the signal otherwise.
fn go_on(process: &Process, signal: u8) {
    if signal == SIGCONT || signal == SIGKILL {
        stop::go_on(process);
    }
}

/// Signals of `unwanted` that wait, wait no more.
pub fn forget(process: &Process, unwanted: SignalSet) {
    let drop_all = |pending: &mut Pending| pending.drop_all(unwanted, &process.queued_signals);
    drop_all(&mut process.signals.lock().pending);
    for thread in process.threads.lock().iter() {
        drop_all(&mut linux(thread).signals.lock().pending);
    }
}

/// The running thread ends: its own signals are nobody's, and others take those for the process.
pub fn forget_own() {
    let this = current_in_line();
    let mut signals = this.signals.lock_in_line();
    if !signals.pending.set().is_empty() {
        signals.pending.drop_all(SignalSet(!0), &this.process.queued_signals);
    }
    drop(signals);
    if this.process.signals_wait.load(Ordering::SeqCst) {
        offer(SignalSet(!0));
    }
}

/// How many signals may wait (RLIMIT_SIGPENDING).
fn limit(process: &Process) -> usize {
    let limit = process.limits.lock_in_line()[RLIMIT_SIGPENDING as usize].rlim_cur;
    usize::try_from(limit).unwrap_or(usize::MAX)
}

/// Whether a signal does nothing now. It is not even kept then, unless a thread blocks it or waits for it, for it may
/// get a handler before it is unblocked.
fn is_ignored(process: &Process, signal: u8) -> bool {
    process.signals.lock_in_line().effect(signal) == Effect::Ignored
}

fn keeps(thread: &Thread, signal: u8) -> bool {
    let signals = linux(thread).signals.lock();
    signals.blocked.union(signals.awaited).contains(signal)
}

/// Whether one of these signals for all threads may be this one's.
fn takes(thread: &Thread, shared: SignalSet) -> bool {
    let signals = linux(thread).signals.lock();
    let blocked = signals.blocked.without(SignalSet::UNBLOCKABLE).without(signals.awaited);
    !shared.without(blocked).is_empty()
}

/// The running thread does not take `signals` any more: those that wait for the process are offered to others.
pub fn offer(signals: SignalSet) {
    let this = task::current();
    let process = &linux(this).process;
    let shared = waiting(process).intersection(signals);
    if shared.is_empty() {
        return;
    }
    let threads = process.threads.lock();
    let others = threads.iter().filter(|thread| !core::ptr::eq(&raw const ***thread, this));
    others.filter(|thread| takes(thread, shared)).for_each(|thread| {
        look(thread);
    });
}

/// The signals that wait for any thread of a process. Who has just looked at its own mask, or changed it, under the
/// lock misses none: a sender notes the signal first and looks at that mask afterwards.
#[inline]
pub fn waiting(process: &Process) -> SignalSet {
    if process.signals_wait.load(Ordering::SeqCst) { waiting_now(process) } else { SignalSet::EMPTY }
}

#[inline(never)]
fn waiting_now(process: &Process) -> SignalSet {
    let signals = process.signals.lock();
    let set = signals.pending.set();
    if set.is_empty() {
        process.signals_wait.store(false, Ordering::SeqCst);
    }
    set
}

/// Sets the mask of the running thread, from which signals that cannot be blocked are gone, by what it was; answers
/// that. Signals for the process that it took until now are offered to others, and those that it takes now come.
pub fn change_mask(new: impl FnOnce(SignalSet) -> SignalSet) -> SignalSet {
    change(|signals| signals.blocked = new(signals.blocked))
}

/// As [`change_mask`], with more of what the running thread keeps about signals.
pub fn change(change: impl FnOnce(&mut ThreadSignals)) -> SignalSet {
    let thread = task::current();
    let this = linux(thread);
    // Before looking: who sends a signal meanwhile interrupts it again.
    thread.set_interrupted(false);
    let (old, blocked, own) = {
        let mut signals = this.signals.lock_in_line();
        let old = signals.blocked;
        change(&mut signals);
        (old, signals.blocked, signals.pending.set())
    };
    let busy = process_is_busy(this);
    if busy || !own.is_empty() {
        offer(blocked.without(old));
        look(thread);
    }
    old
}

/// Whether the running thread may have something to do before it goes on: a signal, its end, a stop, or a mask to put
/// back.
pub fn has_work(this: &LinuxThread) -> bool {
    let signals = this.signals.lock_in_line();
    let own = !signals.pending.set().is_empty() || signals.saved.is_some();
    drop(signals);
    own || process_is_busy(this)
}

/// Whether there may be something in the process that a thread has to look at before it goes on.
fn process_is_busy(this: &LinuxThread) -> bool {
    this.process.signals_wait.load(Ordering::SeqCst)
        || this.killed.load(Ordering::SeqCst)
        || this.process.stopped.load(Ordering::SeqCst)
}

/// Looks whether a signal can be delivered to the current thread. To be called after every change of its mask.
pub fn notice() {
    // Before looking: who sends a signal meanwhile interrupts it again.
    task::current().set_interrupted(false);
    look(task::current());
}

/// As [`task::sleep_until`], for calls that end with EINTR at an interruption: there is one only if a signal is to be
/// delivered. What interrupts may be what was waited for. And another processor may have sent a signal that is taken
/// before its sender has looked who takes it: the interruption that follows is for nobody.
pub fn sleep_until(deadline: Option<u64>, ready: &mut dyn FnMut() -> bool) -> Waited<()> {
    loop {
        let waited = task::sleep_until(deadline, ready);
        if waited != Waited::Interrupted {
            return waited;
        }
        if ready() {
            return Waited::Ready(());
        }
        if look(task::current()) {
            return Waited::Interrupted;
        }
    }
}

/// Looks whether a signal can be delivered to `thread`: then its waits end, and it passes by delivery before it goes
/// on. Whether one can.
fn look(thread: &Thread) -> bool {
    let this = linux(thread);
    // First: a signal that comes from now on, on another processor, finds its own look behind it.
    thread.set_interrupted(false);
    let shared = waiting(&this.process);
    let deliverable = is_deliverable(&this.signals.lock(), shared);
    let has_reason = deliverable || this.killed.load(Ordering::SeqCst) || this.process.stopped.load(Ordering::SeqCst);
    if has_reason {
        task::interrupt(thread);
    }
    has_reason
}

/// Whether one of the signals that wait for a thread, or of `shared`, which wait for any of its process, may come now.
#[inline]
fn is_deliverable(signals: &ThreadSignals, shared: SignalSet) -> bool {
    let all = signals.pending.set().union(shared);
    let blocked = signals.blocked.without(SignalSet::UNBLOCKABLE);
    !all.without(blocked).is_empty() || !all.intersection(signals.awaited).is_empty()
}
