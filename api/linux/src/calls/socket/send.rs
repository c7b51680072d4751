//! Sending.

use vfs::socket::Parcel;

use crate::{
    Call, Result,
    objects::{
        files::{MOST, Scattered},
        sockets::{self, address, message, transfer},
        user,
    },
};

/// sendto(2): sends bytes, to a name or to the other end.
pub fn sendto(call: &mut Call) -> Result {
    sockets::using(call, |call, description, socket| {
        let (start, length) = (call.argument(1), call.argument(2).min(MOST));
        user::check_buffer(start, call.argument(2))?;
        let to = address::optional(call.argument(4), call.argument(5))?;
        let mut source = Scattered::one(start, length);
        let mut parcel = Parcel { who: crate::objects::sockets::who(), ..Parcel::default() };
        let sent = transfer::send(description, socket, &mut source, &mut parcel, to.as_ref(), call.unsigned(3))?;
        source.answer(sent)
    })
}

/// sendmsg(2): sends a message: scattered bytes, and what goes along.
pub fn sendmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        message::send(description, socket, call.argument(1), call.unsigned(2))
    })
}

/// sendmmsg(2): as sendmsg, once for each header.
pub fn sendmmsg(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        let flags = call.unsigned(3);
        message::each(call, &mut |address, _| message::send(description, socket, address, flags))
    })
}
