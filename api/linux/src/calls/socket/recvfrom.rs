//! recvfrom(2).

use linux_abi::constants::MSG_TRUNC;

use crate::objects::sockets;
use crate::objects::sockets::{address, transfer};
use crate::{
    Call, Result,
    objects::{
        files::{MOST, Scattered},
        user,
    },
};

/// Receives bytes, and from whom.
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
