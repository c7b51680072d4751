//! Sending signals with something to say.

use linux_abi::{Errno, structures::SignalInformation};

use crate::{
    Call, Result,
    objects::{
        process::table,
        signals::{arguments, send_to_process, send_to_thread},
        user,
    },
    process,
};

/// rt_sigqueueinfo(2): sends a signal with a word of the sender's.
///
/// Sends to any process.
pub fn rt_sigqueueinfo(call: &mut Call) -> Result {
    let information = information(call.int(1), call.argument(2))?;
    // The number of any thread will do for the process.
    let target = table::numbered(call.int(0)).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        send_to_process(&target, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}

/// What is sent with `signal`; `None` for signal 0, which only asks whether one might.
pub fn information(signal: i32, address: usize) -> core::result::Result<Option<SignalInformation>, Errno> {
    let mut information: SignalInformation = user::read_struct(address)?;
    let signal = arguments::signal_or_none(signal)?;
    information.padding = 0;
    Ok(signal.map(|signal| {
        information.si_signo = signal.into();
        information
    }))
}

/// rt_tgsigqueueinfo(2): sends a signal to a thread with a word of the sender's.
///
/// Sends to a thread of this process, the only one.
pub fn rt_tgsigqueueinfo(call: &mut Call) -> Result {
    let (group, id) = (call.int(0), call.int(1));
    let information = information(call.int(2), call.argument(3))?;
    if group <= 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let thread = process().threads.lock().find(id).filter(|_| group == process().id as i32).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        send_to_thread(&thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}
