//! `struct msghdr`: what sendmsg(2), recvmsg(2) and their like share.

use alloc::vec::Vec;

use linux_abi::{
    Errno,
    constants::{IOV_MAX, MSG_CMSG_CLOEXEC, MSG_CTRUNC, MSG_TRUNC, SO_PASSCRED},
    structures::MessageHeader,
};
use vfs::socket::Socket;

use super::{address, control, transfer};
use crate::{
    Call, Result,
    objects::{
        descriptors::Description,
        files::{Scattered, vectors},
        user,
    },
};

/// Bytes of a header, and of one with the length of its message behind it.
pub const HEADER: usize = size_of::<MessageHeader>();
pub const WITH_LENGTH: usize = HEADER + 8;

pub fn header(at: usize) -> core::result::Result<(MessageHeader, Scattered), Errno> {
    let header: MessageHeader = user::read_struct(at)?;
    if header.msg_iovlen > IOV_MAX.into() {
        return Err(Errno::EMSGSIZE);
    }
    if header.msg_namelen > i32::MAX as u32 {
        return Err(Errno::EINVAL);
    }
    let pieces = vectors::pieces_at(header.msg_iov as usize, header.msg_iovlen as usize)?;
    Ok((header, Scattered::new(pieces)))
}

/// Sends the message at `at`.
#[inline(never)]
pub fn send(description: &Description, socket: &Socket, at: usize, flags: u32) -> Result {
    let (header, mut source) = header(at)?;
    let to = address::optional(header.msg_name as usize, header.msg_namelen as usize)?;
    let mut parcel = control::read(header.msg_control as usize, header.msg_controllen as usize)?;
    let sent = transfer::send(description, socket, &mut source, &mut parcel, to.as_ref(), flags)?;
    source.answer(sent)
}

/// Receives a message as the header at `at` wants it, and says there what came.
#[inline(never)]
pub fn receive(description: &Description, socket: &Socket, at: usize, flags: u32) -> Result {
    let (mut header, mut sink) = header(at)?;
    let mut received = transfer::receive(description, socket, &mut sink, flags)?;
    sink.answer(received.count)?;
    header.msg_flags = flags & MSG_CMSG_CLOEXEC;
    if header.msg_name != 0 {
        let room = header.msg_namelen as usize;
        header.msg_namelen = address::put_sender(header.msg_name as usize, room, received.from.as_ref())? as u32;
    }
    if received.whole > received.count {
        header.msg_flags |= MSG_TRUNC;
    }
    let room = header.msg_controllen as usize;
    let mut out = control::Writer::new(header.msg_control as usize, room);
    if socket.option(SO_PASSCRED) {
        out.credentials(received.who.unwrap_or_default());
    }
    out.rights(core::mem::take(&mut received.rights), flags & MSG_CMSG_CLOEXEC != 0)?;
    if out.is_cut() {
        header.msg_flags |= MSG_CTRUNC;
    }
    header.msg_controllen = out.finish()? as u64;
    user::write_struct(at, &header)?;
    let whole = flags & MSG_TRUNC != 0 && socket.keeps_messages();
    Ok(if whole { received.whole } else { received.count })
}

/// Does `step` for each header of the call's array, and writes behind it what came of it; how many went well. What has
/// been done counts more than an error behind it.
pub fn each(call: &Call, step: &mut dyn FnMut(usize, bool) -> Result) -> Result {
    let count = (call.unsigned(2)).min(IOV_MAX) as usize;
    let starts: Vec<usize> = (0..count).map(|index| call.argument(1) + index * WITH_LENGTH).collect();
    for (index, &at) in starts.iter().enumerate() {
        match step(at, index == 0) {
            Ok(length) => drop(user::answer_int(at + HEADER, length as u32)?),
            Err(error) if index == 0 => return Err(error),
            Err(_) => return Ok(index),
        }
    }
    Ok(count)
}
