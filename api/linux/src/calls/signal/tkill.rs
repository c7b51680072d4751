//! tkill(2): sends a signal to a thread.

use linux_abi::{Errno, constants::SI_TKILL, structures::SignalInformation};

use crate::{
    Call, Result,
    objects::signals::{arguments, send_to_thread},
    process,
};

/// Sends to the thread with this id.
pub fn tkill(call: &mut Call) -> Result {
    send(call.int(0), call.int(1))
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
