//! recvmsg(2).

use crate::objects::sockets::message;
use crate::{Call, Result};

/// Receives a message: scattered bytes, and what came along.
pub fn recvmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        message::receive(description, socket, call.argument(1), call.unsigned(2))
    })
}
