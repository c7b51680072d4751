//! Taking signals that wait.

use linux_abi::structures::SignalInformation;
use signal_state::{FROM_TIMER, SignalSet};

use crate::objects::process::{process, process_signals, thread_signals};

/// Takes out the signal of `wanted` that comes first, the thread's own before the process'. A timer's says what it
/// missed, and the timer goes on.
#[inline(never)]
pub fn take(wanted: SignalSet) -> Option<SignalInformation> {
    let count = &process().queued_signals;
    let own = thread_signals().pending.take(wanted, count);
    let mut taken = own.or_else(|| process_signals().pending.take(wanted, count))?;
    if taken.padding == FROM_TIMER {
        taken.padding = 0;
        let timer = process().timers.lock().find(taken.fields[0] as i32);
        if let Some(timer) = timer {
            taken.fields[0] |= u64::from(timer.taken()) << u32::BITS;
        }
    }
    Some(taken)
}
