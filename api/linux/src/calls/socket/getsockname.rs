//! getsockname(2).

use crate::objects::sockets;
use crate::objects::sockets::address;
use crate::{Call, Result};

/// A socket's own name.
pub fn getsockname(call: &mut Call) -> Result {
    sockets::using(call, |call, _, socket| address::write(call.argument(1), call.argument(2), socket.name().as_ref()))
}
