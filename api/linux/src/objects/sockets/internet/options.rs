//! Options: getsockopt(2), setsockopt(2).

use alloc::vec::Vec;
use core::{sync::atomic::Ordering, time::Duration};

use contracts::{
    sockets,
    sockets_element::{Form, Setting},
};
use identity::Capability;
use linux_abi::{
    Errno, constants as c,
    structures::{TimeValue, UserCredentials},
};
use zerocopy::IntoBytes;

use super::{
    super::socket::{self, Answer, Value},
    Internet, control, errors, groups, settings,
};

/// Options that are kept and told, and mean nothing here: there are no queues, no marks, no filters of the host's.
pub const KEPT: [(u32, u32); 8] = [
    (c::SOL_SOCKET, c::SO_DEBUG),
    (c::SOL_SOCKET, c::SO_DONTROUTE),
    (c::SOL_SOCKET, c::SO_NO_CHECK),
    (c::SOL_SOCKET, c::SO_PRIORITY),
    (c::SOL_SOCKET, c::SO_MARK),
    (c::SOL_SOCKET, c::SO_BUSY_POLL),
    (c::SOL_IP, c::IP_FREEBIND),
    (c::SOL_IP, c::IP_BIND_ADDRESS_NO_PORT),
];

fn kept(level: u32, option: u32) -> Option<usize> {
    KEPT.iter().position(|&row| row == (level, option))
}

/// Ports that belong to the machine are for who may have them: EACCES.
pub fn check_port(port: u16) -> Answer<()> {
    /// `/proc/sys/net/ipv4/ip_unprivileged_port_start`.
    const FIRST: u16 = 1024;
    let is_free = port == 0 || port >= FIRST;
    let may = || crate::objects::process::identity().may(Capability::NetBindService);
    if is_free || may() { Ok(()) } else { Err(Errno::EACCES) }
}

/// Whether sockets of this form have options of this level.
fn has_level(socket: &Internet, level: u32) -> bool {
    match level {
        c::SOL_SOCKET | c::SOL_IP => true,
        c::SOL_IPV6 => socket::Socket::form(socket).family == c::AF_INET6,
        c::SOL_TCP => socket.form.is_stream(),
        c::SOL_UDP => matches!(socket.form, Form::Datagrams(_)),
        _ => false,
    }
}

/// The value of an option.
pub fn get(socket: &Internet, level: u32, option: u32) -> Answer<Vec<u8>> {
    if !has_level(socket, level) {
        return Err(if level == c::SOL_TCP { Errno::EOPNOTSUPP } else { Errno::ENOPROTOOPT });
    }
    if level == c::SOL_SOCKET
        && let Some(value) = of_all(socket, option)
    {
        return Ok(value);
    }
    let word = match (level, option) {
        (c::SOL_TCP, c::TCP_CONGESTION) => return Ok(congestion()),
        (c::SOL_TCP, c::TCP_FASTOPEN) => 0,
        _ => number(socket, level, option)?,
    };
    Ok(word.to_ne_bytes().into())
}

/// The answer to an option that is a number of another's.
fn number(socket: &Internet, level: u32, option: u32) -> Answer<u32> {
    if let Some(bit) = control::bit(level, option) {
        return Ok((socket.told.load(Ordering::Relaxed) & bit != 0).into());
    }
    if let Some(index) = kept(level, option) {
        return Ok(socket.kept[index].load(Ordering::Relaxed));
    }
    let like = settings::of(level, option, 1).ok_or(Errno::ENOPROTOOPT)?;
    sockets::get(socket.number, like).map(settings::value).map_err(errors::errno)
}

/// The name of the algorithm is as long as Linux' longest: tcp(7).
fn congestion() -> Vec<u8> {
    let mut name = alloc::vec![0; 16];
    name[..5].copy_from_slice(b"cubic");
    name
}

fn of_all(socket: &Internet, option: u32) -> Option<Vec<u8>> {
    let form = socket::Socket::form(socket);
    let word = match option {
        c::SO_TYPE => form.kind,
        c::SO_DOMAIN => form.family,
        c::SO_PROTOCOL => form.protocol,
        c::SO_ERROR => sockets::take_error(socket.number).map_or(0, |error| errors::errno(error).number().into()),
        c::SO_SNDLOWAT => 1,
        c::SO_INCOMING_CPU => 0,
        c::SO_COOKIE => return Some(socket.number.0.to_ne_bytes().into()),
        c::SO_LINGER => return linger(socket),
        c::SO_RCVTIMEO | c::SO_SNDTIMEO => {
            let nanoseconds = socket.patience[usize::from(option == c::SO_SNDTIMEO)].load(Ordering::Relaxed);
            return Some(TimeValue::from_nanoseconds(nanoseconds).as_bytes().into());
        }
        c::SO_PEERCRED => {
            let nobody = UserCredentials { pid: 0, uid: u32::MAX, gid: u32::MAX };
            return Some(nobody.as_bytes().into());
        }
        _ => return None,
    };
    Some(word.to_ne_bytes().into())
}

fn linger(socket: &Internet) -> Option<Vec<u8>> {
    let Ok(Setting::Linger(length)) = sockets::get(socket.number, Setting::Linger(None)) else {
        return Some([0; 8].into());
    };
    let seconds = length.map_or(0, |length| length.as_secs() as u32);
    Some([u32::from(length.is_some()), seconds].as_bytes().into())
}

/// Sets an option.
pub fn set(socket: &Internet, level: u32, option: u32, value: &Value) -> Answer<()> {
    if !has_level(socket, level) {
        return Err(Errno::ENOPROTOOPT);
    }
    if groups::set(socket, level, option, value)? {
        return Ok(());
    }
    match (level, option) {
        (c::SOL_SOCKET, c::SO_LINGER) => {
            let [is, seconds] = value.structure::<[u32; 2]>()?;
            let length = (is != 0).then(|| Duration::from_secs(seconds.into()));
            set_one(socket, Setting::Linger(length))
        }
        (c::SOL_SOCKET, c::SO_RCVTIMEO | c::SO_SNDTIMEO) => {
            let nanoseconds = socket::patience(value)?;
            socket.patience[usize::from(option == c::SO_SNDTIMEO)].store(nanoseconds, Ordering::Relaxed);
            Ok(())
        }
        (c::SOL_IP, c::IP_MULTICAST_IF) => set_one(socket, Setting::GroupInterface(interface(value)?)),
        (c::SOL_TCP, c::TCP_CONGESTION) => {
            // Whoever asks for what there is gets it.
            let name = value.structure::<[u8; 5]>()?;
            if &name == b"cubic" { Ok(()) } else { Err(Errno::ENOENT) }
        }
        (c::SOL_TCP, c::TCP_ULP) => Err(Errno::ENOENT),
        (c::SOL_TCP, c::TCP_FASTOPEN) => Err(Errno::EOPNOTSUPP),
        _ => set_number(socket, level, option, small(value)?),
    }
}

/// A number; those of ip(7) may be a byte.
fn small(value: &Value) -> Answer<u32> {
    match value.number() {
        Err(Errno::EINVAL) => value.structure::<u8>().map(u32::from),
        number => number,
    }
}

/// The interface of IP_MULTICAST_IF: a `struct ip_mreqn`, or an address of its own.
fn interface(value: &Value) -> Answer<u32> {
    match value.structure::<[u32; 3]>() {
        Ok([_, own, 0]) => groups::interface_of(own.to_ne_bytes()),
        Ok([_, _, interface]) => Ok(interface),
        Err(Errno::EINVAL) => groups::interface_of(value.number()?.to_ne_bytes()),
        Err(error) => Err(error),
    }
}

fn set_number(socket: &Internet, level: u32, option: u32, number: u32) -> Answer<()> {
    if let Some(bit) = control::bit(level, option) {
        if number == 0 {
            socket.told.fetch_and(!bit, Ordering::Relaxed);
        } else {
            socket.told.fetch_or(bit, Ordering::Relaxed);
        }
        return Ok(());
    }
    if let Some(index) = kept(level, option) {
        socket.kept[index].store(number, Ordering::Relaxed);
        return Ok(());
    }
    if matches!(
        (level, option),
        (c::SOL_SOCKET, c::SO_ACCEPTCONN) | (c::SOL_IP, c::IP_MTU) | (c::SOL_IPV6, c::IPV6_MTU)
    ) {
        return Err(Errno::ENOPROTOOPT);
    }
    // -1 is what a hop limit and a segment are as usual: ip(7).
    if (level, option) == (c::SOL_IP, c::IP_TTL) && number == u32::MAX {
        return set_one(socket, Setting::HopLimit(0));
    }
    let (least, most) = settings::bounds(level, option);
    if number < least || number > most {
        return Err(Errno::EINVAL);
    }
    set_one(socket, settings::of(level, option, number).ok_or(Errno::ENOPROTOOPT)?)
}

fn set_one(socket: &Internet, setting: Setting) -> Answer<()> {
    sockets::set(socket.number, setting).map_err(errors::errno)
}
