//! Sockets within the machine (unix(7)). Other families are not there: EAFNOSUPPORT.

pub mod address;
pub mod control;
pub mod message;
pub mod transfer;

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{
        AF_INET, AF_INET6, AF_UNIX, OpenFlags, SOCK_CLOEXEC, SOCK_DGRAM, SOCK_NONBLOCK, SOCK_RAW, SOCK_SEQPACKET,
        SOCK_STREAM,
    },
};
use unix_sockets::{Carried, Form, Names, Socket, Who};
use vfs::{Node, Owner};

use crate::{
    Result,
    objects::{
        descriptors::{description::Description, origin::Origin},
        files,
    },
};

/// Sockets by name.
pub static NAMES: Names = Names::new();

/// All sockets that have names.
pub fn named() -> alloc::vec::Vec<Arc<Socket>> {
    NAMES.all()
}

/// The socket that is open; ENOTSOCK for what is none.
pub fn of(description: &Description) -> core::result::Result<&Socket, Errno> {
    description.node_as().map_err(|_| Errno::ENOTSOCK)
}

/// An open file can be handed over.
impl Carried for Description {
    fn socket(&self) -> Option<&Socket> {
        of(self).ok()
    }
}

/// Gives a socket a descriptor. SOCK_NONBLOCK and SOCK_CLOEXEC have the values of O_NONBLOCK and O_CLOEXEC.
pub fn install(socket: Arc<Socket>, flags: OpenFlags) -> Result {
    let node: Arc<dyn Node> = socket;
    let description =
        Description::new(Arc::clone(&node), node, OpenFlags::O_RDWR | flags & OpenFlags::O_NONBLOCK, Origin::Socket);
    files::install(description, flags.contains(OpenFlags::O_CLOEXEC))
}

/// What is to be made, by what socket(2) and socketpair(2) are told.
pub fn form(family: u32, wanted: u32, protocol: i32) -> core::result::Result<(Form, OpenFlags), Errno> {
    /// SOCK_MAX: Linux knows no types from here on.
    const TYPES: u32 = 11;
    let (kind, flags) = (wanted & 0xf, wanted & !0xf);
    if flags & !(SOCK_NONBLOCK | SOCK_CLOEXEC) != 0 || family == AF_UNIX && kind >= TYPES {
        return Err(Errno::EINVAL);
    }
    if family != AF_UNIX {
        if matches!(family, AF_INET | AF_INET6) {
            crate::objects::lacking::network();
        }
        return Err(Errno::EAFNOSUPPORT);
    }
    if protocol != 0 && protocol.cast_unsigned() != AF_UNIX {
        return Err(Errno::EPROTONOSUPPORT);
    }
    let form = match kind {
        SOCK_STREAM => Form::Stream,
        SOCK_DGRAM | SOCK_RAW => Form::Datagrams,
        SOCK_SEQPACKET => Form::Packets,
        _ => return Err(Errno::ESOCKTNOSUPPORT),
    };
    Ok((form, OpenFlags::from_bits_retain(flags)))
}

/// The running process, as the other end of a socket sees it.
pub fn who() -> Who {
    let identity = crate::objects::process::identity();
    let owner = Owner { user: identity.user.effective, group: identity.group.effective };
    Who { process: crate::process().id, owner }
}
