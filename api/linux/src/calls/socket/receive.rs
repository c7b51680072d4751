//! Receiving.

use linux_abi::constants::{MSG_DONTWAIT, MSG_TRUNC, MSG_WAITFORONE};

use crate::{
    Call, Result,
    objects::{
        files::{MOST, Scattered},
        sockets::{self, address, message, transfer},
        timers::moments,
        user,
    },
};

/// recvfrom(2): receives bytes, and from whom.
pub fn recvfrom(call: &mut Call) -> Result {
    sockets::using(call, |call, description, socket| {
        user::check_buffer(call.argument(1), call.argument(2))?;
        let mut sink = Scattered::one(call.argument(1), call.argument(2).min(MOST));
        let received = transfer::receive(description, socket, &mut sink, call.unsigned(3))?;
        sink.answer(received.count)?;
        if call.argument(4) != 0 && call.argument(5) != 0 {
            let room = user::read_int(call.argument(5))?;
            let length = address::put_sender(call.argument(4), room, received.from.as_ref())?;
            user::answer_int(call.argument(5), length as u32)?;
        }
        let whole = call.unsigned(3) & MSG_TRUNC != 0 && socket.keeps_messages();
        Ok(if whole { received.whole } else { received.count })
    })
}

/// recvmsg(2): receives a message: scattered bytes, and what came along.
pub fn recvmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        message::receive(description, socket, call.argument(1), call.unsigned(2))
    })
}

/// recvmmsg(2): as recvmsg, once for each header; the limit is looked at between messages, as on Linux.
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
