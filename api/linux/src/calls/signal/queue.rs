//! Sending signals with something to say.

use linux_abi::{Errno, UserAddress, structures::SignalInformation};

use crate::{
    Result,
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
pub fn rt_sigqueueinfo(id: i32, signal: i32, information: UserAddress) -> Result {
    let information = self::information(signal, information)?;
    // The number of any thread will do for the process.
    let target = table::numbered(id).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        send_to_process(&target, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}

/// What is sent with `signal`; `None` for signal 0, which only asks whether one might.
pub fn information(signal: i32, address: UserAddress) -> core::result::Result<Option<SignalInformation>, Errno> {
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
pub fn rt_tgsigqueueinfo(group: i32, id: i32, signal: i32, information: UserAddress) -> Result {
    let information = self::information(signal, information)?;
    if group <= 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let thread = process().threads.lock().find(id).filter(|_| group == process().id as i32).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        send_to_thread(&thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}
