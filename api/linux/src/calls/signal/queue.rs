//! Sending signals with something to say.

use linux_abi::{Errno, UserAddress, constants::SI_TKILL, structures::SignalInformation};

use crate::{
    Process, Result,
    objects::{
        process::table,
        signals::{arguments, may_send, send_to_process, send_to_thread},
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
        check(&target, &information)?;
        send_to_process(&target, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}

/// Whether the running process may send this: it takes no other one in, as the kernel's word or kill(2)'s, and may send
/// to it at all.
fn check(target: &Process, information: &SignalInformation) -> core::result::Result<(), Errno> {
    let is_own = target.id == process().id;
    let pretends = information.si_code >= 0 || information.si_code == SI_TKILL;
    if !is_own && (pretends || !may_send(target, Some(information.si_signo as u8))) {
        return Err(Errno::EPERM);
    }
    Ok(())
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
/// Sends to a thread of a process.
pub fn rt_tgsigqueueinfo(group: i32, id: i32, signal: i32, information: UserAddress) -> Result {
    let information = self::information(signal, information)?;
    if group <= 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let target = table::find(group.cast_unsigned()).ok_or(Errno::ESRCH)?;
    let thread = target.threads.lock().find(id).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        check(&target, &information)?;
        send_to_thread(&thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}
