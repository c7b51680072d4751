//! sendmmsg(2).

use crate::objects::sockets::message;
use crate::{Call, Result};

/// As sendmsg, once for each header.
pub fn sendmmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        let flags = call.unsigned(3);
        message::each(call, &mut |address, _| message::send(description, socket, address, flags))
    })
}
