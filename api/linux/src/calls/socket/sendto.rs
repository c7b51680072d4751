//! sendto(2).

use vfs::socket::Parcel;

use crate::objects::sockets;
use crate::objects::sockets::{address, transfer};
use crate::{
    Call, Result,
    objects::{
        files::{MOST, Scattered},
        user,
    },
};

/// Sends bytes, to a name or to the other end.
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
