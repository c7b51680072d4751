//! Taking signals that wait.

use linux_abi::structures::SignalInformation;
use signal_state::{FROM_TIMER, SignalSet};

use super::send::waiting;
use crate::{
    Process,
    objects::{ability, process::LinuxThread},
};

/// Takes out the signal of `wanted` that comes first, the own one of `this`, the running thread, before the process'.
pub fn take(this: &LinuxThread, wanted: SignalSet) -> Option<SignalInformation> {
    let mut taken = this.signals.lock_in_line().pending.take(wanted, &this.process.queued_signals);
    complete(&this.process, wanted, &mut taken);
    taken
}

/// The same, of those that the thread does not block, in `taken`; and whether a mask from before a wait has to come
/// back when none is left.
#[inline]
pub fn take_unblocked(this: &LinuxThread, taken: &mut Option<SignalInformation>) -> bool {
    let (wanted, restores) = {
        let mut signals = this.signals.lock_in_line();
        let wanted = SignalSet(!0).without(signals.blocked.without(SignalSet::UNBLOCKABLE));
        signals.pending.take_into(taken, wanted, &this.process.queued_signals);
        (wanted, signals.saved.is_some())
    };
    complete(&this.process, wanted, taken);
    restores
}

/// Without one of the thread's own, takes one of `wanted` that any thread of the process may take. A timer's signal
/// says what it missed, and the timer goes on.
#[inline]
fn complete(process: &Process, wanted: SignalSet, taken: &mut Option<SignalInformation>) {
    if taken.is_none() {
        core::hint::cold_path();
        take_shared(process, wanted, taken);
    }
    if ability::timers()
        && let Some(taken) = taken
        && taken.padding == FROM_TIMER
    {
        core::hint::cold_path();
        tell_missed(process, taken);
    }
}

#[inline(never)]
fn take_shared(process: &Process, wanted: SignalSet, taken: &mut Option<SignalInformation>) {
    if !waiting(process).intersection(wanted).is_empty() {
        process.signals.lock().pending.take_into(taken, wanted, &process.queued_signals);
    }
}

#[inline(never)]
fn tell_missed(process: &Process, taken: &mut SignalInformation) {
    let [id, mark] = [taken.fields[0] as u32, (taken.fields[0] >> u32::BITS) as u32];
    (taken.padding, taken.fields[0]) = (0, id.into());
    let timer = process.timers.lock().find(id as i32);
    if let Some(timer) = timer.filter(|timer| timer.notice.mark() == mark) {
        taken.fields[0] |= u64::from(timer.taken()) << u32::BITS;
    }
}
