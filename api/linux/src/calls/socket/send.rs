//! Sending.

use linux_abi::{FileDescriptor, UserAddress, UserInput, constants::MessageFlags};
use unix_sockets::Parcel;

use crate::{
    Result,
    objects::{
        files::{self, MOST, Scattered},
        sockets::{self, address, message, transfer},
        user,
    },
};

/// sendto(2): sends bytes, to a name or to the other end.
pub fn sendto(
    descriptor: FileDescriptor,
    buffer: UserInput,
    count: usize,
    flags: MessageFlags,
    address: UserAddress,
    length: usize,
) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    user::check_buffer(buffer.into(), count)?;
    let to = address::optional(address, length)?;
    let mut source = Scattered::one(buffer.0, count.min(MOST));
    let mut parcel = Parcel { who: crate::objects::sockets::who(), ..Parcel::default() };
    let sent = transfer::send(description, socket, &mut source, &mut parcel, to.as_ref(), flags)?;
    source.answer(sent)
}

/// sendmsg(2): sends a message: scattered bytes, and what goes along.
pub fn sendmsg(descriptor: FileDescriptor, message: UserAddress, flags: MessageFlags) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    message::send(description, socket, message, flags)
}

/// sendmmsg(2): as sendmsg, once for each header.
pub fn sendmmsg(descriptor: FileDescriptor, messages: UserAddress, count: u32, flags: MessageFlags) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    message::each(messages, count, &mut |address, _| message::send(description, socket, address, flags))
}
