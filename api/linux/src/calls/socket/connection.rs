//! Connections: offered, taken, made and ended.

use linux_abi::{
    Errno,
    constants::{SHUT_RD, SHUT_RDWR, SHUT_WR, SOCK_CLOEXEC, SOCK_NONBLOCK},
};
use vfs::socket::Form;

use crate::{
    Call, Result,
    objects::{
        files,
        sockets::address::{self, Target},
    },
};

/// listen(2): takes connections from now on.
pub fn listen(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| files::done(socket.listen(call.unsigned(1) as usize)))
}

/// accept(2): as accept4, without flags.
pub fn accept(call: &mut Call) -> Result {
    take(call, 0)
}

/// accept4(2): a descriptor for the connection that has waited longest.
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

/// connect(2): joins a socket with another one, waiting while too many connections wait there.
pub fn connect(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, description, socket| {
        let target = address::read(call.argument(1), call.argument(2))?;
        if matches!(target, Target::Nobody) && socket.form() == Form::Datagrams {
            socket.disconnect();
            return Ok(0);
        }
        let other = address::find(target)?;
        let (waits, deadline) = description.patience(true);
        description
            .until(waits, deadline, |_| true, &mut || socket.connect(&other, fs::next_number(), fs::now()).map(|()| 0))
    })
}

/// shutdown(2): ends receiving, sending, or both.
pub fn shutdown(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| {
        let how = call.unsigned(1);
        if how > SHUT_RDWR {
            return Err(Errno::EINVAL);
        }
        socket.shut_down(how != SHUT_WR, how != SHUT_RD);
        Ok(0)
    })
}
