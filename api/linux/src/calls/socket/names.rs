//! Names of sockets.

use crate::{
    Call, Result,
    objects::{
        errors,
        sockets::{self, address},
    },
};

/// getsockname(2): a socket's own name.
pub fn getsockname(call: &mut Call) -> Result {
    sockets::using(call, |call, _, socket| address::write(call.argument(1), call.argument(2), socket.name().as_ref()))
}

/// getpeername(2): the name of the socket that this one is joined with.
pub fn getpeername(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| {
        let name = socket.peer_name().map_err(errors::errno)?;
        address::write(call.argument(1), call.argument(2), name.as_ref())
    })
}
