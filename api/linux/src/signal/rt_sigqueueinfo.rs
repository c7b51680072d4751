//! rt_sigqueueinfo(2): sends a signal with a word of the sender's.

use linux_abi::{Errno, structures::SignalInformation};

use crate::{
    Call, Result, process,
    signal::{arguments, send_to_process},
    user,
};

/// Sends to this process, the only one.
pub fn rt_sigqueueinfo(call: &mut Call) -> Result {
    let mut information: SignalInformation = user::read_struct(call.argument(2))?;
    if call.int(0) != process().id as i32 {
        return Err(Errno::ESRCH);
    }
    if let Some(signal) = arguments::signal_or_none(call.int(1))? {
        information.si_signo = signal.into();
        send_to_process(process(), information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}
