//! kill(2): sends a signal to a process.

use core::sync::atomic::Ordering;

use linux_abi::{Errno, constants::SI_USER, structures::SignalInformation};

use crate::{
    Call, Result,
    objects::signals::{arguments, send_to_process},
    process,
};

/// Sends to this process, or to its group, which is the same.
pub fn kill(call: &mut Call) -> Result {
    let target = i64::from(call.int(0));
    let signal = arguments::signal_or_none(call.int(1))?;
    let group = i64::from(process().group.load(Ordering::Relaxed));
    let is_own = target == i64::from(process().id) || target == 0 || target == -group;
    // The number of any thread will do for the process.
    if !is_own && (target < 0 || process().threads.lock().find(call.int(0)).is_none()) {
        return Err(Errno::ESRCH);
    }
    if let Some(signal) = signal {
        let user = crate::objects::process::identity().user.real;
        let information = SignalInformation::sent(signal, SI_USER, process().id, user, 0);
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = send_to_process(process(), information);
    }
    Ok(0)
}
