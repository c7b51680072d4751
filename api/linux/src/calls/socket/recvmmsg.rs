//! recvmmsg(2).

use crate::objects::sockets;
use crate::objects::timers::moments;
use linux_abi::constants::{MSG_DONTWAIT, MSG_WAITFORONE};

use crate::objects::sockets::message;
use crate::{Call, Result};

/// As recvmsg, once for each header; the limit is looked at between messages, as on Linux.
pub fn recvmmsg(call: &mut Call) -> Result {
    sockets::using(call, |call, description, socket| {
        let flags = call.unsigned(3);
        let deadline = moments::deadline(call.argument(4))?;
        message::each(call, &mut |address, first| {
            if !first && deadline.is_some_and(|deadline| contracts::clock::monotonic() >= deadline) {
                return Err(crate::Errno::EAGAIN);
            }
            let waits_no_more = flags & MSG_WAITFORONE != 0 && !first;
            let flags = flags & !MSG_WAITFORONE | if waits_no_more { MSG_DONTWAIT } else { 0 };
            message::receive(description, socket, address, flags)
        })
    })
}
