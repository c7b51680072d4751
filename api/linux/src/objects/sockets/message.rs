//! `struct msghdr`: what sendmsg(2), recvmsg(2) and their like share.

use alloc::vec::Vec;

use linux_abi::{
    Errno, UserAddress,
    constants::{IOV_MAX, MessageFlags},
    structures::MessageHeader,
};

use super::{
    address::Address,
    control,
    socket::{Answer, Sending, Socket, Told},
};
use crate::{
    Result,
    objects::{
        descriptors::Description,
        files::{Scattered, vectors},
        user,
    },
};

/// Bytes of a header, and of one with the length of its message behind it.
pub const HEADER: usize = size_of::<MessageHeader>();
pub const WITH_LENGTH: usize = HEADER + 8;

#[inline(always)]
pub fn header(at: UserAddress) -> Answer<(MessageHeader, Scattered)> {
    let header: MessageHeader = user::read_struct(at)?;
    if header.msg_iovlen > IOV_MAX.into() {
        return Err(Errno::EMSGSIZE);
    }
    if header.msg_namelen > i32::MAX as u32 {
        return Err(Errno::EINVAL);
    }
    let pieces = vectors::pieces((UserAddress(header.msg_iov as usize), header.msg_iovlen as usize))?;
    Ok((header, Scattered::new(pieces)))
}

/// Sends the message at `at`.
#[inline(never)]
pub fn send(description: &Description, socket: &dyn Socket, at: UserAddress, flags: MessageFlags) -> Result {
    let (header, mut source) = header(at)?;
    let to = Address::read_optional(UserAddress(header.msg_name as usize), header.msg_namelen as usize)?;
    let control = control::read(UserAddress(header.msg_control as usize), header.msg_controllen as usize)?;
    let sent = socket.send(description, &mut source, &Sending { to: to.as_ref(), control: &control, flags })?;
    source.answer(sent)
}

/// Receives a message as the header at `at` wants it, and says there what came.
#[inline(never)]
pub fn receive(description: &Description, socket: &dyn Socket, at: UserAddress, flags: MessageFlags) -> Result {
    let (mut header, mut sink) = header(at)?;
    let mut control =
        control::Writer::new(UserAddress(header.msg_control as usize), header.msg_controllen as usize, flags);
    let mut told = Told::new(Some(&mut control));
    let count = socket.receive(description, &mut sink, flags, Some(&mut told))?;
    sink.answer(count)?;
    let Told { whole, from, flags: more, .. } = told;
    header.msg_flags = (flags & MessageFlags::MSG_CMSG_CLOEXEC | more).bits();
    if header.msg_name != 0 {
        let (name, room) = (UserAddress(header.msg_name as usize), header.msg_namelen as usize);
        header.msg_namelen = from.as_ref().map_or(Ok(0), |from| from.put(name, room))? as u32;
    }
    if whole > count {
        header.msg_flags |= MessageFlags::MSG_TRUNC.bits();
    }
    if control.is_cut() {
        header.msg_flags |= MessageFlags::MSG_CTRUNC.bits();
    }
    header.msg_controllen = control.finish()? as u64;
    user::write_struct(at, &header)?;
    Ok(if flags.contains(MessageFlags::MSG_TRUNC) && socket.keeps_messages() { whole } else { count })
}

/// Does `step` for each of `count` headers, and writes behind it what came of it; how many went well. What has
/// been done counts more than an error behind it.
pub fn each(headers: UserAddress, count: u32, step: &mut dyn FnMut(UserAddress, bool) -> Result) -> Result {
    let count = count.min(IOV_MAX) as usize;
    let starts: Vec<usize> = (0..count).map(|index| headers.0 + index * WITH_LENGTH).collect();
    for (index, &at) in starts.iter().enumerate() {
        match step(UserAddress(at), index == 0) {
            Ok(length) => drop(user::answer_int(UserAddress(at + HEADER), length as u32)?),
            Err(error) if index == 0 => return Err(error),
            Err(_) => return Ok(index),
        }
    }
    Ok(count)
}
