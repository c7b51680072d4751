//! Sockets of the host's: socket(7), ip(7), ipv6(7), epoll(7). None of these calls waits: all sockets are opened so.
//!
//! What may be connected, and to whom, is decided by the caller: a seccomp list cannot read addresses.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

pub use super::files::close;
use super::{
    HostError,
    call::call,
    companions::{CONTROL, Companions},
    number,
};

/// Families of addresses.
pub const AF_INET: u32 = 2;
pub const AF_INET6: u32 = 10;
/// Kinds of sockets.
pub const SOCK_STREAM: u32 = 1;
pub const SOCK_DGRAM: u32 = 2;
/// What each socket is opened with: it never waits, and no other program gets it.
const SOCK_NONBLOCK_CLOEXEC: u32 = 0o2_004_000;
/// Flags of send and receive.
pub const MSG_OOB: u32 = 1;
pub const MSG_PEEK: u32 = 2;
pub const MSG_TRUNC: u32 = 0x20;
pub const MSG_NOSIGNAL: u32 = 0x4000;
pub const MSG_MORE: u32 = 0x8000;
/// Events of epoll(7).
pub const EPOLLIN: u32 = 1;
pub const EPOLLPRI: u32 = 2;
pub const EPOLLOUT: u32 = 4;
pub const EPOLLERR: u32 = 8;
pub const EPOLLHUP: u32 = 0x10;
pub const EPOLLRDHUP: u32 = 0x2000;
const EPOLLET: u32 = 1 << 31;
/// epoll_create1(2), epoll_ctl(2).
const EPOLL_CLOEXEC: usize = 0o2_000_000;
const EPOLL_CTL_ADD: usize = 1;
const EPOLL_CTL_MOD: usize = 3;
/// ioctl(2): bytes that wait to be read.
pub const FIONREAD: usize = 0x541b;
/// The same: bytes that wait to be sent, or for their acknowledgment.
pub const SIOCOUTQ: usize = 0x5411;

/// Bytes of the longest address.
const LONGEST: usize = 28;

/// An address as the host has it: `struct sockaddr_in` or `struct sockaddr_in6`.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub struct Raw {
    bytes: [u8; LONGEST],
    length: u32,
}

impl Raw {
    /// Room for one.
    pub const EMPTY: Self = Self { bytes: [0; LONGEST], length: LONGEST as u32 };

    /// An address for a socket of this family: one of IPv4 is a mapped one where the socket is of IPv6.
    pub fn of(address: SocketAddr, family: u32) -> Self {
        let mut raw = Self::EMPTY;
        raw.bytes[2..4].copy_from_slice(&address.port().to_be_bytes());
        raw.bytes[..2].copy_from_slice(&(family as u16).to_ne_bytes());
        let v6 = match address {
            SocketAddr::V4(address) if family == AF_INET => {
                raw.bytes[4..8].copy_from_slice(&address.ip().octets());
                raw.length = 16;
                return raw;
            }
            SocketAddr::V4(address) => SocketAddrV6::new(address.ip().to_ipv6_mapped(), address.port(), 0, 0),
            SocketAddr::V6(address) => address,
        };
        raw.bytes[8..24].copy_from_slice(&v6.ip().octets());
        raw.bytes[24..28].copy_from_slice(&v6.scope_id().to_ne_bytes());
        raw
    }

    /// Its family.
    pub fn family(&self) -> u32 {
        u32::from(u16::from_ne_bytes([self.bytes[0], self.bytes[1]]))
    }

    /// The address; a mapped one is of IPv4.
    pub fn read(&self) -> Option<SocketAddr> {
        let bytes = &self.bytes;
        let port = u16::from_be_bytes([bytes[2], bytes[3]]);
        match (self.family(), self.length) {
            (AF_INET, 16..) => {
                let ip = Ipv4Addr::new(bytes[4], bytes[5], bytes[6], bytes[7]);
                Some(SocketAddrV4::new(ip, port).into())
            }
            (AF_INET6, 24..) => {
                let ip = Ipv6Addr::from(*bytes[8..24].first_chunk::<16>()?);
                let scope = u32::from_ne_bytes(*bytes[24..28].first_chunk::<4>()?);
                Some(match ip.to_ipv4_mapped() {
                    Some(ip) => SocketAddrV4::new(ip, port).into(),
                    None => SocketAddrV6::new(ip, port, 0, scope).into(),
                })
            }
            _ => None,
        }
    }
}

/// `struct iovec` of readv(2).
#[repr(C)]
struct Place {
    address: usize,
    length: usize,
}

/// `struct msghdr` of sendmsg(2).
#[repr(C)]
struct Message {
    name: usize,
    name_length: u32,
    places: usize,
    count: usize,
    control: usize,
    control_length: usize,
    flags: u32,
}

/// A new socket.
pub fn open(family: u32, kind: u32) -> Result<i32, HostError> {
    // SAFETY: nothing of ours is read or written.
    let made = unsafe { call(number::SOCKET, [family as usize, (kind | SOCK_NONBLOCK_CLOEXEC) as usize, 0]) };
    made.map(|descriptor| descriptor as i32)
}

/// bind(2): only where this machine is to have the host's ports.
pub fn bind(descriptor: i32, address: &Raw) -> Result<(), HostError> {
    let arguments = [descriptor as usize, address.bytes.as_ptr() as usize, address.length as usize];
    // SAFETY: reads the address.
    unsafe { call(number::BIND, arguments) }.map(drop)
}

/// connect(2).
pub fn connect(descriptor: i32, address: &Raw) -> Result<(), HostError> {
    let arguments = [descriptor as usize, address.bytes.as_ptr() as usize, address.length as usize];
    // SAFETY: reads the address.
    unsafe { call(number::CONNECT, arguments) }.map(drop)
}

/// connect(2) to nobody.
pub fn disconnect(descriptor: i32) -> Result<(), HostError> {
    connect(descriptor, &Raw { bytes: [0; LONGEST], length: 16 })
}

/// listen(2).
pub fn listen(descriptor: i32, backlog: u32) -> Result<(), HostError> {
    // SAFETY: nothing of ours is read or written.
    unsafe { call(number::LISTEN, [descriptor as usize, backlog as usize]) }.map(drop)
}

/// accept4(2).
pub fn accept(descriptor: i32) -> Result<(i32, Raw), HostError> {
    let mut raw = Raw::EMPTY;
    let (address, length) = (raw.bytes.as_mut_ptr() as usize, &raw mut raw.length as usize);
    let arguments = [descriptor as usize, address, length, SOCK_NONBLOCK_CLOEXEC as usize];
    // SAFETY: writes the address, as much as there is room for, and its length.
    let accepted = unsafe { call(number::ACCEPT4, arguments) }?;
    Ok((accepted as i32, raw))
}

/// shutdown(2): 0 receiving, 1 sending, 2 both.
pub fn shut_down(descriptor: i32, how: usize) -> Result<(), HostError> {
    // SAFETY: nothing of ours is read or written.
    unsafe { call(number::SHUTDOWN, [descriptor as usize, how]) }.map(drop)
}

/// getsockname(2), getpeername(2).
fn name(number: usize, descriptor: i32) -> Result<Raw, HostError> {
    let mut raw = Raw::EMPTY;
    let (address, length) = (raw.bytes.as_mut_ptr() as usize, &raw mut raw.length as usize);
    // SAFETY: writes the address, as much as there is room for, and its length.
    unsafe { call(number, [descriptor as usize, address, length]) }?;
    Ok(raw)
}

/// Its own address.
pub fn local(descriptor: i32) -> Result<Raw, HostError> {
    name(number::GETSOCKNAME, descriptor)
}

/// The other side's.
pub fn remote(descriptor: i32) -> Result<Raw, HostError> {
    name(number::GETPEERNAME, descriptor)
}

/// Sends bytes, to somebody or to whom it is connected, and from an address of the host's if that is said.
pub fn send(
    descriptor: i32,
    bytes: &[u8],
    to: Option<&Raw>,
    from: Option<(IpAddr, u32)>,
    flags: u32,
) -> Result<usize, HostError> {
    let (control, control_length) = from.map_or(([0; 5], 0), |(own, family)| Companions::source(own, family));
    let place = Place { address: bytes.as_ptr() as usize, length: bytes.len() };
    let message = Message {
        name: to.map_or(0, |raw| raw.bytes.as_ptr() as usize),
        name_length: to.map_or(0, |raw| raw.length),
        places: &raw const place as usize,
        count: 1,
        control: if control_length == 0 { 0 } else { control.as_ptr() as usize },
        control_length,
        flags: 0,
    };
    let flags = (flags | MSG_NOSIGNAL) as usize;
    // SAFETY: reads the message, the address, the control message and the bytes.
    unsafe { call(number::SENDMSG, [descriptor as usize, &raw const message as usize, flags]) }
}

/// Receives bytes; the length of the whole message with [`MSG_TRUNC`], who sent it, and what came along, if that is
/// told.
pub fn receive(
    descriptor: i32,
    buffer: &mut [u8],
    flags: u32,
    companions: Option<&mut Companions>,
) -> Result<(usize, Option<SocketAddr>), HostError> {
    // Few ask, and room for nothing is not made.
    let mut control = companions.as_ref().map(|_| [0_u8; CONTROL]);
    let place = Place { address: buffer.as_mut_ptr() as usize, length: buffer.len() };
    let mut raw = Raw::EMPTY;
    let mut message = Message {
        name: raw.bytes.as_mut_ptr() as usize,
        name_length: raw.length,
        places: &raw const place as usize,
        count: 1,
        control: control.as_mut().map_or(0, |control| control.as_mut_ptr() as usize),
        control_length: control.as_ref().map_or(0, |control| control.len()),
        flags: 0,
    };
    let arguments = [descriptor as usize, &raw mut message as usize, flags as usize];
    // SAFETY: writes the buffer, the address, the control messages and the message.
    let count = unsafe { call(number::RECVMSG, arguments) }?;
    raw.length = message.name_length;
    if let (Some(companions), Some(control)) = (companions, &control) {
        *companions = Companions::read(control.get(..message.control_length).unwrap_or_default());
    }
    Ok((count, raw.read()))
}

/// setsockopt(2) with an int, or with a few of them.
pub fn set(descriptor: i32, level: u32, option: u32, value: &[i32]) -> Result<(), HostError> {
    let (address, length) = (value.as_ptr() as usize, size_of_val(value));
    let arguments = [descriptor as usize, level as usize, option as usize, address, length];
    // SAFETY: reads the value.
    unsafe { call(number::SETSOCKOPT, arguments) }.map(drop)
}

/// getsockopt(2) of an int.
pub fn get(descriptor: i32, level: u32, option: u32) -> Result<i32, HostError> {
    let (mut value, mut length) = (0_i32, 4_u32);
    let places = [&raw mut value as usize, &raw mut length as usize];
    let arguments = [descriptor as usize, level as usize, option as usize, places[0], places[1]];
    // SAFETY: writes the value, which has that length, and the length.
    unsafe { call(number::GETSOCKOPT, arguments) }?;
    Ok(value)
}

/// getsockopt(2) of a structure; how many bytes of it the host has told.
pub fn get_bytes(descriptor: i32, level: u32, option: u32, value: &mut [u8]) -> Result<usize, HostError> {
    let mut length = u32::try_from(value.len()).unwrap_or(u32::MAX);
    let places = [value.as_mut_ptr() as usize, &raw mut length as usize];
    let arguments = [descriptor as usize, level as usize, option as usize, places[0], places[1]];
    // SAFETY: writes the value, which has at least that length, and the length.
    unsafe { call(number::GETSOCKOPT, arguments) }?;
    Ok(length as usize)
}

/// Bytes that wait to be read.
pub fn available(descriptor: i32) -> Result<usize, HostError> {
    count(descriptor, FIONREAD)
}

/// Bytes that wait to be sent, or for their acknowledgment.
pub fn queued(descriptor: i32) -> Result<usize, HostError> {
    count(descriptor, SIOCOUTQ)
}

fn count(descriptor: i32, request: usize) -> Result<usize, HostError> {
    let mut count = 0_i32;
    // SAFETY: writes the count.
    unsafe { call(number::IOCTL, [descriptor as usize, request, &raw mut count as usize]) }?;
    Ok(count.max(0) as usize)
}

/// `struct epoll_event`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, packed)]
pub struct Event {
    /// What has happened.
    pub events: u32,
    /// To which socket.
    pub number: u64,
}

/// A new set of descriptors.
pub fn new_set() -> Result<i32, HostError> {
    // SAFETY: nothing of ours is read or written.
    unsafe { call(number::EPOLL_CREATE1, [EPOLL_CLOEXEC]) }.map(|set| set as i32)
}

/// Adds a descriptor, whose changes are told once each; one that is there gets another number.
pub fn watch(set: i32, descriptor: i32, number: u64) -> Result<(), HostError> {
    let events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;
    let event = Event { events, number };
    let change = |how| {
        let arguments = [set as usize, how, descriptor as usize, &raw const event as usize];
        // SAFETY: reads the event.
        unsafe { call(number::EPOLL_CTL, arguments) }.map(drop)
    };
    match change(EPOLL_CTL_ADD) {
        Err(HostError::EXISTS) => change(EPOLL_CTL_MOD),
        result => result,
    }
}

/// What has happened by now; how many events.
pub fn take(set: i32, events: &mut [Event]) -> Result<usize, HostError> {
    let arguments = [set as usize, events.as_mut_ptr() as usize, events.len(), 0, 0];
    // SAFETY: writes the events.
    unsafe { call(number::EPOLL_PWAIT, arguments) }
}
