//! tgkill(2): sends a signal to a thread of a process.

use linux_abi::Errno;

use super::tkill;
use crate::{Call, Result, process};

/// Sends to the thread with this id, if it is of that process.
pub fn tgkill(call: &mut Call) -> Result {
    if call.int(0) <= 0 {
        return Err(Errno::EINVAL);
    }
    if call.int(0) != process().id as i32 {
        return Err(Errno::ESRCH);
    }
    tkill::send(call.int(1), call.int(2))
}
