//! epoll_pwait(2).

use crate::{Call, Result, descriptor::epoll_wait, signal, time::arguments::milliseconds};

/// As epoll_wait, under another signal mask.
pub fn epoll_pwait(call: &mut Call) -> Result {
    let deadline = milliseconds(call.int(3));
    signal::masked(call.argument(4), call.argument(5), || epoll_wait::wait(call, deadline))
}
