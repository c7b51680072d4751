//! Options of sockets.

use linux_abi::{
    Errno, FileDescriptor, UserAddress, constants as c,
    structures::{TimeValue, UserCredentials},
};
use unix_sockets::{Form, Socket};
use zerocopy::IntoBytes;

use crate::{
    Result,
    objects::{errors, user},
};

/// getsockopt(2): what an option is set to; those of protocols are not there.
pub fn getsockopt(
    descriptor: FileDescriptor,
    level: u32,
    option: u32,
    value: UserAddress,
    size: UserAddress,
) -> Result {
    let description = &crate::objects::files::usable(descriptor)?;
    let socket = crate::objects::sockets::of(description)?;
    let room = user::read_int(size)?;
    if room > i32::MAX as usize {
        return Err(Errno::EINVAL);
    }
    if level != c::SOL_SOCKET {
        return Err(Errno::EOPNOTSUPP);
    }
    let mut bytes = [0; 16];
    let length = self::value(socket, option, &mut bytes)?.min(room);
    user::copy_out(value, &bytes[..length])?;
    user::answer_int(size, length as u32)
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
        c::SO_RCVBUF => unix_sockets::CAPACITY as u32,
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

/// Options that are on or off and mean something to networks only, or to a receiver: a bit each.
pub const SWITCHES: u64 = 1 << c::SO_REUSEADDR
    | 1 << c::SO_BROADCAST
    | 1 << c::SO_KEEPALIVE
    | 1 << c::SO_REUSEPORT
    | 1 << c::SO_PASSCRED
    | 1 << c::SO_TIMESTAMP;

/// setsockopt(2): sets an option; those of protocols are not there.
pub fn setsockopt(descriptor: FileDescriptor, level: u32, option: u32, value: UserAddress, size: i32) -> Result {
    let description = &crate::objects::files::usable(descriptor)?;
    let socket = crate::objects::sockets::of(description)?;
    if level != c::SOL_SOCKET {
        return Err(Errno::EOPNOTSUPP);
    }
    if size < size_of::<u32>() as i32 {
        return Err(Errno::EINVAL);
    }
    let number = user::read_int(value)?;
    match option {
        c::SO_SNDBUF | c::SO_SNDBUFFORCE => socket.set_capacity(number),
        // What is received counts against its sender.
        c::SO_RCVBUF | c::SO_RCVBUFFORCE | c::SO_RCVLOWAT | c::SO_PRIORITY | c::SO_LINGER => {}
        c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
            if size < size_of::<TimeValue>() as i32 {
                return Err(Errno::EINVAL);
            }
            let time: TimeValue = user::read_struct(value)?;
            if !(0..1_000_000).contains(&time.tv_usec) {
                return Err(Errno::EDOM);
            }
            let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
            let nanoseconds = seconds.saturating_mul(1_000_000_000).saturating_add(time.tv_usec as u64 * 1000);
            socket.set_patience(option == c::SO_SNDTIMEO, nanoseconds);
        }
        option if option < 64 && SWITCHES >> option & 1 != 0 => socket.set_option(option, number != 0),
        _ => return Err(Errno::ENOPROTOOPT),
    }
    Ok(0)
}
