//! listen(2).

use crate::{Call, Result, objects::files};

/// Takes connections from now on.
pub fn listen(call: &mut Call) -> Result {
    crate::objects::sockets::using(call, |call, _, socket| files::done(socket.listen(call.unsigned(1) as usize)))
}
