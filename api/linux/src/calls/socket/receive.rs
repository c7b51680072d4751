//! Receiving.

use linux_abi::constants::MessageFlags;
use linux_abi::{FileDescriptor, UserAddress, UserOutput, UserTime};

use crate::{
    Result,
    objects::{
        ability,
        descriptors::Description,
        files::{
            self, MOST, Scattered,
            short::{self, Short},
        },
        sockets::{self, Socket, Told, message},
        timers::moments,
        user,
    },
};

/// recvfrom(2): receives bytes, and from whom.
pub fn recvfrom(
    descriptor: FileDescriptor,
    buffer: UserOutput,
    count: usize,
    flags: MessageFlags,
    address: UserAddress,
    length: UserAddress,
) -> Result {
    if !ability::short_ways() || !address.is_null() || !MessageFlags::MSG_DONTWAIT.contains(flags) {
        return receive(&*files::usable(descriptor)?, buffer, count, flags, (address, length));
    }
    match short::receive(descriptor, buffer, count)? {
        Short::Moved(count) => Ok(count),
        Short::Left(description) => receive(&*files::not_a_path(description)?, buffer, count, flags, (address, length)),
    }
}

fn receive(
    description: &Description,
    buffer: UserOutput,
    count: usize,
    flags: MessageFlags,
    (address, length): (UserAddress, UserAddress),
) -> Result {
    let socket = sockets::of_in_line(description)?;
    user::check_buffer(buffer.into(), count)?;
    let mut sink = Scattered::one(buffer.0, count.min(MOST));
    if address.is_null() && !flags.contains(MessageFlags::MSG_TRUNC) {
        // As most are: nobody asks whose it is.
        let count = socket.receive(description, &mut sink, flags, None)?;
        return sink.answer(count);
    }
    receive_told((description, socket), &mut sink, flags, address, length)
}

/// As recvfrom, for who asks whose it is, or how long.
#[inline(never)]
fn receive_told(
    (description, socket): (&Description, &dyn Socket),
    sink: &mut Scattered,
    flags: MessageFlags,
    address: UserAddress,
    length: UserAddress,
) -> Result {
    let mut told = Told::new(None);
    let count = socket.receive(description, sink, flags, Some(&mut told))?;
    sink.answer(count)?;
    if !address.is_null() && !length.is_null() {
        let room = user::read_int(length)?;
        let whole = told.from.as_ref().map_or(Ok(0), |from| from.put(address, room))?;
        user::answer_int(length, whole as u32)?;
    }
    Ok(if flags.contains(MessageFlags::MSG_TRUNC) && socket.keeps_messages() { told.whole } else { count })
}

/// recvmsg(2): receives a message: scattered bytes, and what came along.
pub fn recvmsg(descriptor: FileDescriptor, message: UserAddress, flags: MessageFlags) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    message::receive(description, socket, message, flags)
}

/// recvmmsg(2): as recvmsg, once for each header; the limit is looked at between messages, as on Linux.
pub fn recvmmsg(
    descriptor: FileDescriptor,
    messages: UserAddress,
    count: u32,
    flags: MessageFlags,
    timeout: UserTime,
) -> Result {
    let description = &files::usable(descriptor)?;
    let socket = sockets::of(description)?;
    let deadline = moments::deadline(timeout)?;
    message::each(messages, count, &mut |address, first| {
        if !first && deadline.is_some_and(|deadline| contracts::clock::monotonic() >= deadline) {
            return Err(crate::Errno::EAGAIN);
        }
        let waits_no_more = flags.contains(MessageFlags::MSG_WAITFORONE) && !first;
        let flags = (flags - MessageFlags::MSG_WAITFORONE)
            | if waits_no_more { MessageFlags::MSG_DONTWAIT } else { MessageFlags::empty() };
        message::receive(description, socket, address, flags)
    })
}
