//! rt_sigqueueinfo(2): sends a signal with a word of the sender's.

use linux_abi::{Errno, structures::SignalInformation};

use crate::{
    Call, Result,
    objects::{
        signals::{arguments, send_to_process},
        user,
    },
    process,
};

/// Sends to this process, the only one.
pub fn rt_sigqueueinfo(call: &mut Call) -> Result {
    let information = information(call.int(1), call.argument(2))?;
    // The number of any thread will do for the process.
    if call.int(0) != process().id as i32 && process().threads.lock().find(call.int(0)).is_none() {
        return Err(Errno::ESRCH);
    }
    if let Some(information) = information {
        send_to_process(process(), information).map_err(|_| Errno::EAGAIN)?;
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
