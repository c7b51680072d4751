//! getpeername(2).

use super::address;
use crate::{Call, Result, files};

/// The name of the socket that this one is joined with.
pub fn getpeername(call: &mut Call) -> Result {
    super::using(call, |call, _, socket| {
        let name = socket.peer_name().map_err(files::errno)?;
        address::write(call.argument(1), call.argument(2), name.as_ref())
    })
}
