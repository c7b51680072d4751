//! rt_tgsigqueueinfo(2): sends a signal to a thread with a word of the sender's.

use linux_abi::Errno;

use super::rt_sigqueueinfo;
use crate::{Call, Result, objects::signals::send_to_thread, process};

/// Sends to a thread of this process, the only one.
pub fn rt_tgsigqueueinfo(call: &mut Call) -> Result {
    let (group, id) = (call.int(0), call.int(1));
    let information = rt_sigqueueinfo::information(call.int(2), call.argument(3))?;
    if group <= 0 || id <= 0 {
        return Err(Errno::EINVAL);
    }
    let thread = process().threads.lock().find(id).filter(|_| group == process().id as i32).ok_or(Errno::ESRCH)?;
    if let Some(information) = information {
        send_to_thread(&thread, information).map_err(|_| Errno::EAGAIN)?;
    }
    Ok(0)
}
