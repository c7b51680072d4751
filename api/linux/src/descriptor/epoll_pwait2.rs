//! epoll_pwait2(2).

use crate::{Call, Result, descriptor::epoll_wait, signal, time::arguments::deadline};

/// As epoll_pwait, with a finer limit.
pub fn epoll_pwait2(call: &mut Call) -> Result {
    let deadline = deadline(call.argument(3))?;
    signal::masked(call.argument(4), call.argument(5), || epoll_wait::wait(call, deadline))
}
