//! Taking signals that wait.

use linux_abi::structures::SignalInformation;
use signal_state::{FROM_TIMER, SignalSet};

use crate::objects::process::current_in_line;

/// Takes out the signal of `wanted` that comes first, the thread's own before the process'. A timer's says what it
/// missed, and the timer goes on.
#[inline(never)]
pub fn take(wanted: SignalSet) -> Option<SignalInformation> {
    let this = current_in_line();
    let count = &this.process.queued_signals;
    let own = this.signals.lock_in_line().pending.take(wanted, count);
    let mut taken = own.or_else(|| this.process.signals.lock().pending.take(wanted, count))?;
    if taken.padding == FROM_TIMER {
        taken.padding = 0;
        let timer = this.process.timers.lock().find(taken.fields[0] as i32);
        if let Some(timer) = timer {
            taken.fields[0] |= u64::from(timer.taken()) << u32::BITS;
        }
    }
    Some(taken)
}
