//! getsockopt(2).

use crate::objects::errors;
use crate::objects::sockets;
use linux_abi::{Errno, constants as c, structures::UserCredentials};
use vfs::socket::{Form, Socket};
use zerocopy::IntoBytes;

use super::setsockopt::SWITCHES;
use crate::{Call, Result, objects::user};

/// What an option is set to; those of protocols are not there.
pub fn getsockopt(call: &mut Call) -> Result {
    sockets::using(call, |call, _, socket| {
        let room = user::read_int(call.argument(4))?;
        if room > i32::MAX as usize {
            return Err(Errno::EINVAL);
        }
        if call.unsigned(1) != c::SOL_SOCKET {
            return Err(Errno::EOPNOTSUPP);
        }
        let mut bytes = [0; 16];
        let length = value(socket, call.unsigned(2), &mut bytes)?.min(room);
        user::copy_out(call.argument(3), &bytes[..length])?;
        user::answer_int(call.argument(4), length as u32)
    })
}

/// Writes the value of an option; its length.
fn value(socket: &Socket, option: u32, bytes: &mut [u8; 16]) -> Result {
    let word = match option {
        c::SO_TYPE => match socket.form() {
            Form::Stream => c::SOCK_STREAM,
            Form::Datagrams => c::SOCK_DGRAM,
            Form::Packets => c::SOCK_SEQPACKET,
        },
        c::SO_DOMAIN => c::AF_UNIX,
        c::SO_PROTOCOL | c::SO_PRIORITY => 0,
        c::SO_ERROR => socket.take_error().map_or(0, |error| errors::errno(error).number().into()),
        c::SO_SNDBUF => socket.capacity() as u32,
        c::SO_RCVBUF => vfs::socket::CAPACITY as u32,
        c::SO_RCVLOWAT | c::SO_SNDLOWAT => 1,
        c::SO_ACCEPTCONN => socket.is_listening().into(),
        c::SO_LINGER => return Ok(8),
        c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
            let nanoseconds = socket.patience(option == c::SO_SNDTIMEO);
            bytes[..8].copy_from_slice(&(nanoseconds / 1_000_000_000).to_ne_bytes());
            bytes[8..].copy_from_slice(&(nanoseconds % 1_000_000_000 / 1000).to_ne_bytes());
            return Ok(16);
        }
        c::SO_PEERCRED => {
            let none = UserCredentials { pid: 0, uid: u32::MAX, gid: u32::MAX };
            let credentials = socket.peer().map_or(none, |who| UserCredentials {
                pid: who.process,
                uid: who.owner.user,
                gid: who.owner.group,
            });
            bytes[..12].copy_from_slice(credentials.as_bytes());
            return Ok(12);
        }
        option if option < 64 && SWITCHES >> option & 1 != 0 => socket.option(option).into(),
        _ => return Err(Errno::ENOPROTOOPT),
    };
    bytes[..4].copy_from_slice(&word.to_ne_bytes());
    Ok(4)
}
