//! Sending signals.

use core::sync::atomic::Ordering;

use linux_abi::{
    Errno,
    constants::{SI_TKILL, SI_USER},
    structures::SignalInformation,
};

use crate::{
    Result,
    objects::{
        process::table,
        signals::{arguments, send_to_process, send_to_thread},
    },
    process,
};

/// kill(2): sends a signal to a process.
///
/// Sends to this process, or to its group, which is the same.
pub fn kill(id: i32, signal: i32) -> Result {
    let target = i64::from(id);
    let signal = arguments::signal_or_none(signal)?;
    let group = i64::from(process().group.load(Ordering::Relaxed));
    // The number of any thread will do for the process.
    let named = if target == 0 || target == -group { None } else { Some(table::numbered(id).ok_or(Errno::ESRCH)?) };
    if let Some(signal) = signal {
        let user = crate::objects::process::identity().user.real;
        let information = SignalInformation::sent(signal, SI_USER, process().id, user, 0);
        // A standard signal that finds no room waits already, or a thousand others do.
        let _ = send_to_process(named.as_deref().unwrap_or(process()), information);
    }
    Ok(0)
}

/// tkill(2): sends a signal to a thread.
///
/// Sends to the thread with this id.
pub fn tkill(id: i32, signal: i32) -> Result {
    send(id, signal)
}

/// Sends `signal` to the thread `id`.
pub fn send(id: i32, signal: i32) -> Result {
    if id <= 0 {
        return Err(Errno::EINVAL);
    }
    let signal = arguments::signal_or_none(signal)?;
    let thread = process().threads.lock().find(id).ok_or(Errno::ESRCH)?;
    if let Some(signal) = signal {
        let user = crate::objects::process::identity().user.real;
        let information = SignalInformation::sent(signal, SI_TKILL, process().id, user, 0);
        send_to_thread(&thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}

/// tgkill(2): sends a signal to a thread of a process.
///
/// Sends to the thread with this id, if it is of that process.
pub fn tgkill(group: i32, id: i32, signal: i32) -> Result {
    if group <= 0 {
        return Err(Errno::EINVAL);
    }
    if group != process().id as i32 {
        return Err(Errno::ESRCH);
    }
    send(id, signal)
}
