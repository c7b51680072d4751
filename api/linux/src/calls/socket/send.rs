//! Sending.

use linux_abi::{FileDescriptor, UserAddress, UserInput, constants::MessageFlags};

use crate::{
    Result,
    objects::{
        ability,
        descriptors::Description,
        files::{
            self, MOST, Scattered,
            short::{self, Short},
        },
        sockets::{self, Sending, address::Address, message},
        user,
    },
};

/// What changes nothing about a send that is done at once.
const WITHOUT_WAIT: MessageFlags = MessageFlags::MSG_DONTWAIT.union(MessageFlags::MSG_NOSIGNAL);

/// sendto(2): sends bytes, to a name or to the other end.
pub fn sendto(
    descriptor: FileDescriptor,
    buffer: UserInput,
    count: usize,
    flags: MessageFlags,
    address: UserAddress,
    length: usize,
) -> Result {
    if !ability::short_ways() || !address.is_null() || !WITHOUT_WAIT.contains(flags) {
        return send(&*files::usable(descriptor)?, buffer, count, flags, (address, length));
    }
    match short::send(descriptor, count, |description| sockets::send_short(description, buffer, count))? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => send(&*files::not_a_path(description)?, buffer, count, flags, (address, length)),
    }
}

fn send(
    description: &Description,
    buffer: UserInput,
    count: usize,
    flags: MessageFlags,
    (address, length): (UserAddress, usize),
) -> Result {
    let socket = sockets::of_in_line(description)?;
    user::check_buffer(buffer.into(), count)?;
    let to = Address::read_optional(address, length)?;
    let mut source = Scattered::one(buffer.0, count.min(MOST));
    let sent = socket.send(description, &mut source, &Sending { to: to.as_ref(), control: &[], flags })?;
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
