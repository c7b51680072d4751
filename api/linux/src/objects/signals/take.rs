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
    let own = this.signals.lock_in_line().pending.take(wanted, &this.process.queued_signals);
    match own {
        Some(own) => Some(complete(&this.process, own)),
        None => take_shared(&this.process, wanted),
    }
}

/// The same, of those that the thread does not block; and whether none is to be waited for any more, so that the mask
/// from before a wait has to come back.
pub fn take_unblocked(this: &LinuxThread) -> Result<SignalInformation, bool> {
    let (wanted, own, restores) = {
        let mut signals = this.signals.lock_in_line();
        let wanted = SignalSet(!0).without(signals.blocked.without(SignalSet::UNBLOCKABLE));
        let own = signals.pending.take(wanted, &this.process.queued_signals);
        (wanted, own, signals.saved.is_some())
    };
    match own {
        Some(own) => Ok(complete(&this.process, own)),
        None => take_shared(&this.process, wanted).ok_or(restores),
    }
}

/// One that any thread of the process may take.
#[inline]
fn take_shared(process: &Process, wanted: SignalSet) -> Option<SignalInformation> {
    if waiting(process).intersection(wanted).is_empty() {
        return None;
    }
    let taken = process.signals.lock().pending.take(wanted, &process.queued_signals)?;
    Some(complete(process, taken))
}

/// A timer's signal says what it missed, and the timer goes on.
#[inline]
fn complete(process: &Process, mut taken: SignalInformation) -> SignalInformation {
    if ability::timers() && taken.padding == FROM_TIMER {
        core::hint::cold_path();
        taken.padding = 0;
        let timer = process.timers.lock().find(taken.fields[0] as i32);
        if let Some(timer) = timer {
            taken.fields[0] |= u64::from(timer.taken()) << u32::BITS;
        }
    }
    taken
}
