//! Sockets within the machine (unix(7)). Other families are not there: EAFNOSUPPORT.

pub mod address;
pub mod control;
pub mod message;
pub mod transfer;

use alloc::sync::Arc;

use linux_abi::{
    Errno,
    constants::{
        AF_INET, AF_INET6, AF_UNIX, O_NONBLOCK, O_RDWR, SOCK_CLOEXEC, SOCK_DGRAM, SOCK_NONBLOCK, SOCK_RAW,
        SOCK_SEQPACKET, SOCK_STREAM,
    },
};
use vfs::{
    Node, Owner,
    socket::{Carried, Form, Names, Socket, Who},
};

use crate::{
    Call, Result,
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

/// What a call does with the socket that it names.
type Act = fn(&mut Call, &Description, &Socket) -> Result;

/// Does `act` with the socket at the descriptor that is the call's first argument; ENOTSOCK for what is none.
#[inline(never)]
pub fn using(call: &mut Call, act: Act) -> Result {
    let description = files::usable(call.int(0))?;
    act(call, &description, of(&description)?)
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
pub fn install(socket: Arc<Socket>, flags: u32) -> Result {
    let node: Arc<dyn Node> = socket;
    let description = Description::new(Arc::clone(&node), node, O_RDWR | flags & O_NONBLOCK, Origin::Socket);
    files::install(description, flags & SOCK_CLOEXEC != 0)
}

/// What is to be made, by the first three arguments of socket(2) and socketpair(2).
pub fn form(call: &Call) -> core::result::Result<(Form, u32), Errno> {
    /// SOCK_MAX: Linux knows no types from here on.
    const TYPES: u32 = 11;
    let (family, wanted, protocol) = (call.unsigned(0), call.unsigned(1), call.unsigned(2));
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
    if protocol != 0 && protocol != AF_UNIX {
        return Err(Errno::EPROTONOSUPPORT);
    }
    let form = match kind {
        SOCK_STREAM => Form::Stream,
        SOCK_DGRAM | SOCK_RAW => Form::Datagrams,
        SOCK_SEQPACKET => Form::Packets,
        _ => return Err(Errno::ESOCKTNOSUPPORT),
    };
    Ok((form, flags))
}

/// The running process, as the other end of a socket sees it.
pub fn who() -> Who {
    let identity = crate::objects::process::identity();
    let owner = Owner { user: identity.user.effective, group: identity.group.effective };
    Who { process: crate::process().id, owner }
}
