//! Sockets, whose families are beside each other behind one trait: [`Socket`]. A family has a folder here, and this
//! file is the one that names it.

pub mod address;
pub mod control;
mod internet;
pub mod links;
pub mod message;
mod netlink;
pub mod requests;
mod socket;
pub mod transfer;
pub mod unix;

use alloc::sync::Arc;

use linux_abi::{
    Errno, UserInput,
    constants::{AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, OpenFlags, SOCK_CLOEXEC, SOCK_NONBLOCK},
};
use vfs::Node;

pub use socket::{Answer, Form, Sending, Socket, Told, Value};

use crate::{
    Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files, lacking,
    },
};

/// The socket that is open; ENOTSOCK for what is none.
pub fn of(description: &Description) -> Answer<&dyn Socket> {
    of_in_line(description)
}

/// The same for the functions that most calls come through.
#[inline(always)]
pub fn of_in_line(description: &Description) -> Answer<&dyn Socket> {
    if let Some(socket) = internet::of(description) {
        return Ok(socket);
    }
    of_others(description)
}

/// Sends a few bytes by the short way ([`files::short`]), if it is a stream inside this machine.
pub fn send_short(description: &Description, buffer: UserInput, count: usize) -> vfs::Moved {
    unix::send_short(description, buffer, count)
}

#[inline(never)]
fn of_others(description: &Description) -> Answer<&dyn Socket> {
    let netlink = || netlink::of(description).map(|socket| socket as &dyn Socket);
    unix::of(description).map(|socket| socket as _).or_else(netlink).ok_or(Errno::ENOTSOCK)
}

/// The socket of a network that is open, if it is one.
pub fn opened(description: &Description) -> Option<contracts::sockets_element::Socket> {
    internet::of(description).map(internet::Internet::number)
}

/// Whether it is a network's socket that takes bytes of any number at a time.
pub fn is_stream(description: &Description) -> bool {
    internet::of(description).is_some_and(internet::Internet::is_stream)
}

/// The events of poll(2) that hold of it.
#[inline]
pub fn events(socket: contracts::sockets_element::Socket) -> u16 {
    internet::events(socket)
}

/// Linux' number of what a connection does (`include/net/tcp_states.h`).
pub const fn state(state: contracts::sockets_element::State) -> u8 {
    internet::state(state)
}

/// The last descriptor of a socket is closed, and it may have been told to wait for its bytes (SO_LINGER).
#[inline(never)]
pub fn linger(description: &Description) {
    if contracts::sockets::exist()
        && let Some(socket) = internet::of(description)
    {
        socket.linger(description);
    }
}

/// A new socket (socket(2)).
pub fn make(form: Form) -> Answer<Arc<dyn Socket>> {
    match form.family {
        AF_UNIX => Ok(unix::make(form)?),
        AF_INET | AF_INET6 => Ok(internet::make(form).inspect_err(note_lacking)?),
        AF_NETLINK => Ok(netlink::make(form)?),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

/// Two that are joined (socketpair(2)).
pub fn make_pair(form: Form) -> Answer<[Arc<dyn Socket>; 2]> {
    match form.family {
        AF_UNIX => Ok(unix::make_pair(form)?.map(|end| end as _)),
        // The Internet has no pairs.
        AF_INET | AF_INET6 | AF_NETLINK => Err(Errno::EOPNOTSUPP),
        _ => Err(Errno::EAFNOSUPPORT),
    }
}

/// The image has no network: said once.
fn note_lacking(error: &Errno) {
    if *error == Errno::EAFNOSUPPORT {
        lacking::network();
    }
}

/// Gives a socket a descriptor. SOCK_NONBLOCK and SOCK_CLOEXEC have the values of O_NONBLOCK and O_CLOEXEC.
pub fn install(socket: Arc<dyn Socket>, flags: OpenFlags) -> Result {
    let node: Arc<dyn Node> = socket;
    let description =
        Description::new(Arc::clone(&node), node, OpenFlags::O_RDWR | flags & OpenFlags::O_NONBLOCK, Origin::Socket);
    files::install(description, flags.contains(OpenFlags::O_CLOEXEC))
}

/// What is to be made, by what socket(2) and socketpair(2) are told, and how its descriptor begins.
pub fn form(family: u32, wanted: u32, protocol: i32) -> Answer<(Form, OpenFlags)> {
    let (kind, flags) = (wanted & 0xf, wanted & !0xf);
    if flags & !(SOCK_NONBLOCK | SOCK_CLOEXEC) != 0 {
        return Err(Errno::EINVAL);
    }
    let form = Form { family, kind, protocol: protocol.cast_unsigned() };
    Ok((form, OpenFlags::from_bits_retain(flags)))
}
