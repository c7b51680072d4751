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
    super::{
        links,
        socket::{self, Answer, Value},
    },
    Internet, control, errors, groups, info, kept, settings,
};

/// Whether the running process may do that.
fn may(capability: Capability) -> bool {
    crate::objects::process::identity().may(capability)
}

/// Ports that belong to the machine are for who may have them: EACCES.
pub fn check_port(port: u16) -> Answer<()> {
    /// `/proc/sys/net/ipv4/ip_unprivileged_port_start`.
    const FIRST: u16 = 1024;
    let is_free = port == 0 || port >= FIRST;
    if is_free || may(Capability::NetBindService) { Ok(()) } else { Err(Errno::EACCES) }
}

/// Options that are for who administers the network: EPERM, or EACCES (socket(7)).
fn check_right(level: u32, option: u32, value: u32) -> Answer<()> {
    let asks = level == c::SOL_SOCKET
        && match option {
            c::SO_DEBUG => value != 0,
            // Those above are for the kernel's own: TC_PRIO_INTERACTIVE.
            c::SO_PRIORITY => value > 6,
            c::SO_MARK | c::SO_SNDBUFFORCE | c::SO_RCVBUFFORCE => true,
            _ => false,
        };
    if !asks || may(Capability::NetAdmin) {
        return Ok(());
    }
    Err(if option == c::SO_DEBUG { Errno::EACCES } else { Errno::EPERM })
}

/// Whether sockets of this form have options of this level.
fn has_level(socket: &Internet, level: u32) -> bool {
    match level {
        c::SOL_SOCKET | c::SOL_IP => true,
        c::SOL_IPV6 => socket::Socket::form(socket).family == c::AF_INET6,
        c::SOL_TCP => socket.form.is_stream(),
        c::SOL_UDP => matches!(socket.form, Form::Datagrams(_)),
        c::SOL_UDPLITE => matches!(socket.form, Form::LiteDatagrams(_)),
        c::SOL_RAW | c::SOL_ICMPV6 => matches!(socket.form, Form::Raw(..)),
        _ => false,
    }
}

/// The value of an option.
pub fn get(socket: &Internet, level: u32, option: u32) -> Answer<Vec<u8>> {
    if !has_level(socket, level) {
        return Err(Errno::EOPNOTSUPP);
    }
    let special = match level {
        c::SOL_SOCKET => of_all(socket, option)?,
        c::SOL_TCP => of_tcp(socket, option)?,
        c::SOL_RAW | c::SOL_ICMPV6 => Some(filter(socket, level, option)?),
        // No packet has options.
        c::SOL_IP if matches!(option, c::IP_OPTIONS | c::IP_PKTOPTIONS) => Some(Vec::new()),
        c::SOL_IPV6 if (c::IPV6_HOPOPTS..=c::IPV6_DSTOPTS).contains(&option) && option & 1 == 1 => Some(Vec::new()),
        _ => None,
    };
    match special {
        Some(value) => Ok(value),
        None => Ok(number(socket, level, option)?.to_ne_bytes().into()),
    }
}

/// The answer to an option that is a number of another's.
fn number(socket: &Internet, level: u32, option: u32) -> Answer<u32> {
    if let Some(bit) = control::bit(level, option) {
        return Ok((socket.told.load(Ordering::Relaxed) & bit != 0).into());
    }
    if let Some(place) = kept::place(level, option) {
        return Ok(socket.kept.get(place));
    }
    let like = settings::of(level, option, 1).ok_or(Errno::ENOPROTOOPT)?;
    sockets::get(socket.number, like).map(settings::value).map_err(errors::errno)
}

fn of_tcp(socket: &Internet, option: u32) -> Answer<Option<Vec<u8>>> {
    Ok(Some(match option {
        c::TCP_INFO => info::bytes(&sockets::stream(socket.number).map_err(errors::errno)?),
        // The name of the algorithm is as long as Linux' longest: tcp(7).
        c::TCP_CONGESTION => b"cubic\0\0\0\0\0\0\0\0\0\0\0".into(),
        c::TCP_FASTOPEN | c::TCP_FASTOPEN_CONNECT | c::TCP_FASTOPEN_NO_COOKIE | c::TCP_REPAIR | c::TCP_SAVE_SYN => {
            [0; 4].into()
        }
        c::TCP_ULP | c::TCP_CC_INFO | c::TCP_SAVED_SYN => Vec::new(),
        _ => return Ok(None),
    }))
}

fn of_all(socket: &Internet, option: u32) -> Answer<Option<Vec<u8>>> {
    let form = socket::Socket::form(socket);
    let word = match option {
        c::SO_TYPE => form.kind,
        c::SO_DOMAIN => form.family,
        c::SO_PROTOCOL => form.protocol,
        c::SO_ERROR => sockets::take_error(socket.number).map_or(0, |error| errors::errno(error).number().into()),
        c::SO_SNDLOWAT => 1,
        c::SO_ZEROCOPY | c::SO_INCOMING_NAPI_ID | c::SO_LOCK_FILTER => 0,
        c::SO_PEEK_OFF => u32::MAX,
        c::SO_COOKIE => return Ok(Some(socket.number.0.to_ne_bytes().into())),
        c::SO_LINGER => return Ok(Some(linger(socket))),
        c::SO_MEMINFO => return Ok(Some(memory(socket))),
        c::SO_MAX_PACING_RATE => return Ok(Some([u8::MAX; 8].into())),
        c::SO_TIMESTAMPING | c::SO_TXTIME => return Ok(Some([0; 8].into())),
        c::SO_ATTACH_FILTER => return Ok(Some(Vec::new())),
        c::SO_PEERNAME => return Ok(Some(socket::Socket::peer_name(socket)?.bytes().into())),
        c::SO_BINDTODEVICE => return Ok(Some(device(socket)?)),
        c::SO_PEERGROUPS => return Err(Errno::ENODATA),
        c::SO_PASSCRED | c::SO_PASSSEC => return Err(Errno::EOPNOTSUPP),
        c::SO_RCVTIMEO | c::SO_SNDTIMEO | c::SO_RCVTIMEO_NEW | c::SO_SNDTIMEO_NEW => {
            let sends = matches!(option, c::SO_SNDTIMEO | c::SO_SNDTIMEO_NEW);
            let nanoseconds = socket.patience[usize::from(sends)].load(Ordering::Relaxed);
            return Ok(Some(TimeValue::from_nanoseconds(nanoseconds).as_bytes().into()));
        }
        c::SO_PEERCRED => {
            let nobody = UserCredentials { pid: 0, uid: u32::MAX, gid: u32::MAX };
            return Ok(Some(nobody.as_bytes().into()));
        }
        _ => return Ok(None),
    };
    Ok(Some(word.to_ne_bytes().into()))
}

fn linger(socket: &Internet) -> Vec<u8> {
    let Ok(Setting::Linger(length)) = sockets::get(socket.number, Setting::Linger(None)) else {
        return [0; 8].into();
    };
    let seconds = length.map_or(0, |length| length.as_secs() as u32);
    [u32::from(length.is_some()), seconds].as_bytes().into()
}

/// SO_MEMINFO: nine numbers, of which the limits and what is queued are known.
fn memory(socket: &Internet) -> Vec<u8> {
    let bytes = |like| sockets::get(socket.number, like).map_or(0, settings::value);
    let limits = [Setting::ReceiveBuffer(0), Setting::SendBuffer(0)].map(bytes);
    let queued = [sockets::available(socket.number) as u32, sockets::queued(socket.number) as u32];
    [queued[0], limits[0], 0, limits[1], 0, queued[1], 0, 0, 0].as_bytes().into()
}

/// The name of the interface that a socket is bound to, with a NUL.
fn device(socket: &Internet) -> Answer<Vec<u8>> {
    match sockets::get(socket.number, Setting::Interface(0)).map_err(errors::errno)? {
        Setting::Interface(number) if number != 0 => {
            let mut name = links::numbered(number).ok_or(Errno::ENODEV)?.name().to_vec();
            name.push(0);
            Ok(name)
        }
        _ => Ok(Vec::new()),
    }
}

/// Which kinds of ICMP messages a raw socket does not get: a word for IPv4, and a bit for each that it *does* get with
/// IPv6 (RFC 3542, 3.2).
fn filter(socket: &Internet, level: u32, option: u32) -> Answer<Vec<u8>> {
    if option != c::ICMP_FILTER {
        return Err(Errno::ENOPROTOOPT);
    }
    match sockets::get(socket.number, Setting::Refused([0; 8])).map_err(errors::errno)? {
        Setting::Refused(kinds) if level == c::SOL_RAW => Ok(kinds[0].to_ne_bytes().into()),
        Setting::Refused(kinds) => Ok(kinds.as_bytes().into()),
        _ => Err(Errno::ENOPROTOOPT),
    }
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
        (c::SOL_SOCKET, c::SO_RCVTIMEO | c::SO_SNDTIMEO | c::SO_RCVTIMEO_NEW | c::SO_SNDTIMEO_NEW) => {
            let nanoseconds = socket::patience(value)?;
            let sends = matches!(option, c::SO_SNDTIMEO | c::SO_SNDTIMEO_NEW);
            socket.patience[usize::from(sends)].store(nanoseconds, Ordering::Relaxed);
            Ok(())
        }
        (c::SOL_SOCKET, c::SO_BINDTODEVICE) => {
            let name = value.text(contracts::sockets_element::NAME - 1)?;
            let number = if name.is_empty() { 0 } else { links::named(&name).ok_or(Errno::ENODEV)?.number };
            set_one(socket, Setting::Interface(number))
        }
        (c::SOL_SOCKET, c::SO_ZEROCOPY | c::SO_PASSCRED | c::SO_PASSSEC) => Err(Errno::EOPNOTSUPP),
        (c::SOL_SOCKET, c::SO_DETACH_FILTER) => Err(Errno::ENOENT),
        // No packet may go so fast that it would have to wait for this.
        (c::SOL_SOCKET, c::SO_MAX_PACING_RATE) => value.number().map(drop),
        (c::SOL_IP, c::IP_MULTICAST_IF) => set_one(socket, Setting::GroupInterface(interface(value)?)),
        (c::SOL_IP, c::IP_OPTIONS) if value.is_empty() => Ok(()),
        (c::SOL_RAW, c::ICMP_FILTER) => set_one(socket, Setting::Refused([value.number()?, 0, 0, 0, 0, 0, 0, 0])),
        (c::SOL_ICMPV6, c::ICMP_FILTER) => set_one(socket, Setting::Refused(value.structure()?)),
        (c::SOL_TCP, _) => set_of_tcp(socket, option, value),
        _ => set_number(socket, level, option, small(value)?),
    }
}

fn set_of_tcp(socket: &Internet, option: u32, value: &Value) -> Answer<()> {
    match option {
        // Whoever asks for what there is gets it.
        c::TCP_CONGESTION if value.text(15)? == b"cubic" => Ok(()),
        c::TCP_CONGESTION | c::TCP_ULP => Err(Errno::ENOENT),
        c::TCP_FASTOPEN | c::TCP_FASTOPEN_CONNECT => Err(Errno::EOPNOTSUPP),
        c::TCP_REPAIR => Err(Errno::EPERM),
        _ => set_number(socket, c::SOL_TCP, option, value.number()?),
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

/// What programs set for each connection is a setting, and those are found without a search.
fn set_number(socket: &Internet, level: u32, option: u32, number: u32) -> Answer<()> {
    check_right(level, option, number)?;
    let (least, most) = settings::bounds(level, option);
    // -1 is what a hop limit is as usual: ip(7).
    let usual = (level, option) == (c::SOL_IP, c::IP_TTL) && number == u32::MAX;
    if (number < least || number > most) && !usual {
        return Err(Errno::EINVAL);
    }
    if settings::is_to_be_asked_for(level, option) {
        return Err(Errno::ENOPROTOOPT);
    }
    let limited = if usual { 0 } else { settings::limited(level, option, number) };
    if let Some(setting) = settings::of(level, option, limited) {
        set_one(socket, setting)?;
        // Of messages that stay together the length of each is told too, and nothing else is both.
        if level != c::SOL_UDP {
            return Ok(());
        }
    }
    if let Some(bit) = control::bit(level, option) {
        set_told(socket, bit, number != 0);
        return Ok(());
    }
    let place = kept::place(level, option).ok_or(Errno::ENOPROTOOPT)?;
    socket.kept.set(place, number);
    Ok(())
}

/// Has the socket tell something beside the bytes, or not.
fn set_told(socket: &Internet, bit: u32, is: bool) {
    if is {
        socket.told.fetch_or(bit, Ordering::Relaxed);
    } else {
        socket.told.fetch_and(!bit, Ordering::Relaxed);
    }
    // A stream has nothing that comes along.
    let wanted = Setting::Companions(socket.told.load(Ordering::Relaxed) != 0);
    let _ = sockets::set(socket.number, wanted);
}

fn set_one(socket: &Internet, setting: Setting) -> Answer<()> {
    sockets::set(socket.number, setting).map_err(errors::errno)
}
