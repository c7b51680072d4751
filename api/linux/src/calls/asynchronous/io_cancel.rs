//! io_cancel(2): a request is not to be done any more.

use linux_abi::{Errno, structures::IoControl};

use crate::{
    Call, Result,
    objects::{asynchronous::Context, user},
};

/// Only one that waits for events can be: EINPROGRESS then, for its event comes all the same, with result 0.
pub fn io_cancel(call: &mut Call) -> Result {
    let request: IoControl = user::read_struct(call.argument(1))?;
    if request.aio_key != 0 {
        return Err(Errno::EINVAL);
    }
    let context = Context::find(call.argument(0))?;
    Err(if context.cancel(call.argument(1) as u64) { Errno::EINPROGRESS } else { Errno::EINVAL })
}
