//! Options of sockets within the machine. Those of protocols are not there.

use alloc::vec::Vec;

use linux_abi::{
    Errno, constants as c,
    structures::{TimeValue, UserCredentials},
};
use unix_sockets::Socket;
use vfs::Node as _;
use zerocopy::IntoBytes;

use super::super::socket::{self, Answer, Value};
use crate::objects::errors;

/// The value of an option.
pub fn get(socket: &Socket, level: u32, option: u32) -> Answer<Vec<u8>> {
    if level != c::SOL_SOCKET {
        return Err(Errno::EOPNOTSUPP);
    }
    let word = match option {
        c::SO_TYPE => socket::Socket::form(socket).kind,
        c::SO_DOMAIN => c::AF_UNIX,
        c::SO_PROTOCOL | c::SO_PRIORITY => 0,
        c::SO_ERROR => socket.take_error().map_or(0, |error| errors::errno(error).number().into()),
        c::SO_SNDBUF => socket.capacity() as u32,
        c::SO_RCVBUF => unix_sockets::CAPACITY as u32,
        c::SO_RCVLOWAT | c::SO_SNDLOWAT => 1,
        c::SO_ACCEPTCONN => socket.is_listening().into(),
        c::SO_LINGER => return Ok([0; 8].into()),
        c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
            let nanoseconds = socket.patience(option == c::SO_SNDTIMEO);
            return Ok(TimeValue::from_nanoseconds(nanoseconds).as_bytes().into());
        }
        c::SO_PEERCRED => return Ok(peer(socket).as_bytes().into()),
        option if is_switch(option) => socket.option(option).into(),
        _ => return Err(Errno::ENOPROTOOPT),
    };
    Ok(word.to_ne_bytes().into())
}

/// Who was at the other end when they were joined.
fn peer(socket: &Socket) -> UserCredentials {
    let none = UserCredentials { pid: 0, uid: u32::MAX, gid: u32::MAX };
    socket.peer().map_or(none, |who| UserCredentials { pid: who.process, uid: who.owner.user, gid: who.owner.group })
}

/// Options that are on or off and mean something to networks only, or to a receiver: a bit each.
const SWITCHES: u64 = 1 << c::SO_REUSEADDR
    | 1 << c::SO_BROADCAST
    | 1 << c::SO_KEEPALIVE
    | 1 << c::SO_REUSEPORT
    | 1 << c::SO_PASSCRED
    | 1 << c::SO_TIMESTAMP;

const fn is_switch(option: u32) -> bool {
    option < u64::BITS && SWITCHES >> option & 1 != 0
}

/// Sets an option.
pub fn set(socket: &Socket, level: u32, option: u32, value: &Value) -> Answer<()> {
    if level != c::SOL_SOCKET {
        return Err(Errno::EOPNOTSUPP);
    }
    let number = value.number()?;
    match option {
        c::SO_SNDBUF | c::SO_SNDBUFFORCE => socket.set_capacity(number as usize),
        // What is received counts against its sender.
        c::SO_RCVBUF | c::SO_RCVBUFFORCE | c::SO_RCVLOWAT | c::SO_PRIORITY | c::SO_LINGER => {}
        c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
            socket.set_patience(option == c::SO_SNDTIMEO, socket::patience(value)?);
        }
        option if is_switch(option) => socket.set_option(option, number != 0),
        _ => return Err(Errno::ENOPROTOOPT),
    }
    Ok(())
}
