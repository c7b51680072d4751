//! shutdown(2).

use linux_abi::{
    Errno,
    constants::{SHUT_RD, SHUT_RDWR, SHUT_WR},
};

use crate::{Call, Result};

/// Ends receiving, sending, or both.
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
