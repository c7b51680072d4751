//! connect(2).

use vfs::socket::Form;

use crate::objects::sockets::address::{self, Target};
use crate::{Call, Result};

/// Joins a socket with another one, waiting while too many connections wait there.
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
