//! getpeername(2).

use crate::objects::errors;
use crate::objects::sockets::address;
use crate::{Call, Result};

/// The name of the socket that this one is joined with.
pub fn getpeername(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| {
        let name = socket.peer_name().map_err(errors::errno)?;
        address::write(call.argument(1), call.argument(2), name.as_ref())
    })
}
