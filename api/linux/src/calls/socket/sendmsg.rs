//! sendmsg(2).

use crate::objects::sockets::message;
use crate::{Call, Result};

/// Sends a message: scattered bytes, and what goes along.
pub fn sendmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        message::send(description, socket, call.argument(1), call.unsigned(2))
    })
}
