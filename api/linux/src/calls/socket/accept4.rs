//! accept4(2).

use linux_abi::{
    Errno,
    constants::{SOCK_CLOEXEC, SOCK_NONBLOCK},
};

use crate::objects::sockets::address;
use crate::{Call, Result, objects::files};

/// A descriptor for the connection that has waited longest.
pub fn accept4(call: &mut Call) -> Result {
    let flags = call.unsigned(3);
    if flags & !(SOCK_CLOEXEC | SOCK_NONBLOCK) != 0 {
        return Err(Errno::EINVAL);
    }
    take(call, flags)
}

/// Waits for a connection, if need be, and gives it a descriptor.
pub fn take(call: &Call, flags: u32) -> Result {
    let description = files::usable(call.int(0))?;
    let socket = crate::objects::sockets::of(&description)?;
    let (waits, deadline) = description.patience(false);
    let mut end = None;
    description.until(waits, deadline, |ready| ready.readable || ready.hangup, &mut || {
        end = Some(socket.accept()?);
        Ok(0)
    })?;
    let end = end.ok_or(Errno::EAGAIN)?;
    if call.argument(1) != 0 {
        let name = end.peer_name().unwrap_or(None);
        address::write(call.argument(1), call.argument(2), name.as_ref())?;
    }
    crate::objects::sockets::install(end, flags)
}
